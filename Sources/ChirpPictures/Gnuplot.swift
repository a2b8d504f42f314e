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
    case unwritable(path: String)
}

/// Something that gnuplot can draw.
public protocol Picture {
    /// Width and height in pixels.
    var size: (width: Int, height: Int) { get }
    /// Numbers that the script reads from a file, 32-bit floats; empty for none.
    var data: [Float] { get }
    /// The gnuplot commands after terminal and output are set.
    ///
    /// - Parameter dataPath: where the data are, quoted for gnuplot.
    func script(dataPath: String) -> String
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

    /// Draws a picture into a file, which is replaced.
    public func draw(_ picture: some Picture, to file: PictureFile) throws(PictureError) {
        let bytes = try draw(picture, format: file.format)
        do {
            try bytes.write(to: URL(filePath: file.path))
        } catch {
            throw .unwritable(path: file.path)
        }
    }

    /// Draws a picture and gives back the file's content.
    public func draw(_ picture: some Picture, format: PictureFile.Format) throws(PictureError) -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chirp-picture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (dataFile, result) = (folder.appending(path: "data"), folder.appending(path: "picture"))
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try picture.data.withUnsafeBytes { Data($0) }.write(to: dataFile)
        } catch {
            throw .unwritable(path: folder.path)
        }
        let (width, height) = picture.size
        let terminal =
            switch format {
            case .svg: "svg size \(width),\(height) dynamic background '#ffffff' font 'DejaVu Sans,13'"
            case .png: "pngcairo size \(width),\(height) background '#ffffff' font 'DejaVu Sans,13'"
            }
        let script = """
            set encoding utf8
            set terminal \(terminal)
            set output \(Self.quoted(result.path))
            \(picture.script(dataPath: Self.quoted(dataFile.path)))
            unset output

            """
        try run(script)
        guard let bytes = try? Data(contentsOf: result), !bytes.isEmpty else {
            throw .gnuplot(message: "it drew nothing")
        }
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

    private func run(_ script: String) throws(PictureError) {
        let process = Process()
        let (input, messages) = (Pipe(), Pipe())
        process.executableURL = program
        process.standardInput = input
        process.standardError = messages
        process.standardOutput = FileHandle.nullDevice
        do { try process.run() } catch { throw .gnuplot(message: error.localizedDescription) }
        // One that ends before it has read everything says why, or its status does: no reason for this process to end.
        Self.handlingOfPipes.withLock { _ in
            let handling = signal(SIGPIPE, SIG_IGN)
            try? input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
            try? input.fileHandleForWriting.close()
            signal(SIGPIPE, handling)
        }
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw .gnuplot(message: text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}
