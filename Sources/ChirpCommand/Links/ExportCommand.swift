internal import ArgumentParser
internal import Chirp
internal import ChirpLinks
internal import Foundation

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all links of a registry as JSON lines.",
        discussion: "chirp import reads them into a registry of any kind.")

    @OptionGroup var choice: RegistryOptions

    func run() async throws {
        // A copy of nothing is hardly what was meant.
        try choice.checkExists(isNamed: choice.isNamed)
        let registry = try choice.open()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var last: Shortcode?
        while case let page = try await registry.entries(after: last, limit: 1_000), !page.isEmpty {
            for var entry in page {
                if entry.record.link.kind == .file {
                    // It may have been deleted since it was listed.
                    guard let content = try await registry.content(of: entry.record.code) else { continue }
                    entry.content = content
                }
                try StandardOutput.print(String(decoding: try encoder.encode(entry), as: UTF8.self))
            }
            last = page.last?.record.code
        }
        await registry.close()
    }
}

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read the JSON lines of chirp export into a registry.",
        discussion: """
            Existing entries are kept. Entries that conflict with them are reported and skipped, and the exit status is 2.
            """)

    @Argument(help: "Files written by chirp export; - is standard input.", completion: .file())
    var files = ["-"]

    @OptionGroup var choice: RegistryOptions

    /// Entries and bytes that go to the registry at once.
    private static let batch = (entries: 500, bytes: 16_000_000)

    func run() async throws {
        let registry = try choice.open()
        var total = ImportOutcome()
        for file in files {
            var pending: [RegistryEntry] = []
            var pendingBytes = 0
            var number = 0
            var lines = try LineReader(path: file)
            while let line = try lines.next() {
                number += 1
                guard !line.isEmpty else { continue }
                do {
                    pending.append(try JSONDecoder().decode(RegistryEntry.self, from: line))
                } catch {
                    // What the message says of the lines before.
                    if !pending.isEmpty { _ = try await registry.add(pending) }
                    await registry.close()
                    throw ImportProblem(file: file, line: number, reason: ImportProblem.reason(error))
                }
                pendingBytes += line.count
                guard pending.count >= Self.batch.entries || pendingBytes >= Self.batch.bytes else { continue }
                total += try await registry.add(pending)
                (pending, pendingBytes) = ([], 0)
            }
            if !pending.isEmpty { total += try await registry.add(pending) }
        }
        await registry.close()
        StandardError.say("\(total.added) added, \(total.present) already present, \(total.conflicts.count) skipped")
        for code in total.conflicts {
            StandardError.report("\(code): skipped: it conflicts with an existing entry")
        }
        if !total.conflicts.isEmpty { throw ExitCode.error }
    }
}

/// The lines of a file or of standard input.
struct LineReader {
    private let path: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    /// Where the next line begins, and up to where its end was looked for.
    private var (start, searched) = (0, 0)
    private var isAtEnd = false

    /// - Throws: ``ContentProblem``
    init(path: String) throws {
        self.path = path
        do {
            handle = path == "-" ? .standardInput : try FileHandle(readingPath: path)
        } catch {
            throw ContentProblem(path: path, cause: error)
        }
    }

    /// The next line, without its end of a line feed and a carriage return before it; nil after the last one.
    ///
    /// - Throws: ``ContentProblem``
    mutating func next() throws -> Data? {
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                let line = buffer[start..<end]
                (start, searched) = (end + 1, end + 1)
                return Data(line.last == 13 ? line.dropLast() : line)
            }
            guard !isAtEnd else { return nil }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            let chunk: Data?
            do { chunk = try handle.read(upToCount: 65_536) } catch { throw ContentProblem(path: path, cause: error) }
            if let chunk, !chunk.isEmpty {
                buffer += chunk
            } else {
                isAtEnd = true
                defer { (buffer, searched) = ([], 0) }
                return buffer.isEmpty ? nil : Data(buffer)
            }
        }
    }
}
