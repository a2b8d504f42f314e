internal import Foundation

/// What the system knows of this process (proc(5)).
struct ProcessFigures {
    let residentBytes: Int
    let openDescriptors: Int
    let processorSeconds: Double
    /// Since 1970.
    let startSeconds: Double

    /// Nil where there is no /proc.
    init?() {
        guard let status = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"),
            // The program's name is in parentheses, and may have spaces and parentheses itself.
            let end = status.lastIndex(of: ")")
        else { return nil }
        let fields = status[status.index(after: end)...].split(separator: " ")
        guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
            let start = Double(fields[19]), let pages = Int(fields[21])
        else { return nil }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        residentBytes = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        // One of them lists the others.
        openDescriptors = descriptors.count - 1
        processorSeconds = (user + system) / ticks
        startSeconds = Self.bootSeconds + start / ticks
    }

    /// When the system started, in whole seconds since 1970: once, as the clocks that tell it do not run alike.
    private static let bootSeconds =
        (Date().timeIntervalSince1970 - ProcessInfo.processInfo.systemUptime).rounded()
}
