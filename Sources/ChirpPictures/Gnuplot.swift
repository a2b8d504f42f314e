public import Foundation
internal import Synchronization

/// A picture file to be made; its extension names the format.
public struct PictureFile: Sendable, Hashable {
    public enum Format: String, Sendable, CaseIterable {
        case svg, png
    }

    public let path: String
    public let format: Format

    /// - Throws: ``PictureError/unknownExtension(path:)``
    public init(path: String) throws(PictureError) {
        guard let format = Format(rawValue: URL(filePath: path).pathExtension.lowercased()) else {
            throw .unknownExtension(path: path)
        }
        self.path = path
        self.format = format
    }
}

/// Why there is no picture.
public enum PictureError: Error, Sendable, Hashable {
    /// gnuplot is not on the path (Debian package gnuplot-nox).
    case noGnuplot
    /// An extension that no ``PictureFile/Format`` has.
    case unknownExtension(path: String)
    /// What gnuplot said.
    case gnuplot(message: String)
}

/// Something that gnuplot can draw.
public protocol Picture {
    /// Width and height in pixels.
    var size: (width: Int, height: Int) { get }
    /// Numbers that the last command of the script reads from `'-'`, 32-bit floats; empty for none.
    var data: [Float] { get }
    /// The gnuplot commands after the terminal is set.
    var script: String { get }
}

/// The plotting program, run once for each picture.
public struct Gnuplot: Sendable {
    private let program: URL
    /// The process has one way of taking SIGPIPE.
    private static let handlingOfPipes = Mutex(())

    /// - Throws: ``PictureError/noGnuplot``
    public init() throws(PictureError) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard
            let program = folders.map({ URL(filePath: String($0)).appending(path: "gnuplot") })
                .first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
        else { throw .noGnuplot }
        self.program = program
    }

    /// Draws a picture and gives back the file's content.
    public func draw(_ picture: some Picture, format: PictureFile.Format) throws(PictureError) -> Data {
        let (width, height) = picture.size
        let terminal =
            switch format {
            case .svg: "svg size \(width),\(height) dynamic background '#ffffff' font 'DejaVu Sans,13'"
            case .png: "pngcairo size \(width),\(height) background '#ffffff' font 'DejaVu Sans,13'"
            }
        let script = """
            set encoding utf8
            set terminal \(terminal)
            \(picture.script)

            """
        let bytes = try run(Data(script.utf8) + picture.data.withUnsafeBytes { Data($0) } + Data("\n".utf8))
        guard !bytes.isEmpty else { throw .gnuplot(message: "it drew nothing") }
        return bytes
    }

    /// A text between gnuplot's single quotes, on one line: what stood on another one would be a command.
    static func quoted(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
            if scalar == "'" { scalars.append(scalar) }
        }
        return "'\(String(scalars))'"
    }

    /// Gives the program what it is to read, and gives back what it draws: no file is made.
    private func run(_ input: Data) throws(PictureError) -> Data {
        let process = Process()
        let (commands, drawing, messages) = (Pipe(), Pipe(), Pipe())
        process.executableURL = program
        process.standardInput = commands
        process.standardOutput = drawing
        process.standardError = messages
        do { try process.run() } catch { throw .gnuplot(message: error.localizedDescription) }
        // One that ends before it has read everything says why, or its status does: no reason for this process to end.
        Self.handlingOfPipes.withLock { _ in
            let handling = signal(SIGPIPE, SIG_IGN)
            try? commands.fileHandleForWriting.write(contentsOf: input)
            try? commands.fileHandleForWriting.close()
            signal(SIGPIPE, handling)
        }
        // It draws when it has read everything, and says little.
        let bytes = drawing.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw .gnuplot(message: text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return bytes
    }
}
