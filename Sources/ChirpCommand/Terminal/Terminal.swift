internal import Foundation

/// What the standard streams can show.
enum Terminal {
    /// Whether standard error is a terminal that can move its cursor.
    static var showsProgress: Bool { isatty(StandardError.descriptor) == 1 && !["", "dumb"].contains(type) }

    /// Whether to use colours on a terminal: not with `NO_COLOR` (https://no-color.org: present and not empty).
    static var hasColour: Bool { (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty }

    /// Whether a live view can be drawn: results and messages both go to a terminal that can move its cursor.
    static var showsLiveView: Bool { isatty(STDOUT_FILENO) == 1 && showsProgress }

    private static var type: String { ProcessInfo.processInfo.environment["TERM"] ?? "" }

    /// Columns and rows of the terminal that a descriptor is; 80 × 24 where it does not say.
    static func size(of descriptor: Int32) -> (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Whether standard error takes text at the moment; a terminal that was stopped with Ctrl-S does not.
    static var isWritable: Bool {
        var descriptor = pollfd(fd: StandardError.descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLOUT) != 0
    }
}
