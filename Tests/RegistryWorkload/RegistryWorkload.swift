internal import Chirp
internal import ChirpLinks
internal import Foundation

/// Work for a registry, in a process that tests can kill and benchmarks can time.
///
///     registry-workload share LOCATION WORKER FIRST COUNT
///         registers links FIRST ..< COUNT of a worker; prints `INDEX CODE` when the registry has answered, and
///         `INDEX ! REASON` when it has refused. Every second link is the same for all workers.
///     registry-workload fill LOCATION COUNT
///         registers links by the way of an import.
///     registry-workload time LOCATION COUNT
///         looks up and shares COUNT links each, and prints the times.
@main
struct RegistryWorkload {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3 else {
            FileHandle.standardError.write(Data("usage: registry-workload share|fill|time LOCATION …\n".utf8))
            exit(64)
        }
        let registry = try RegistryLocation(parsing: arguments[2]).open()
        switch (arguments[1], arguments.count) {
        case ("share", 6):
            try await share(registry, worker: number(arguments[3]), number(arguments[4])..<number(arguments[5]))
        case ("fill", 4): try await fill(registry, count: number(arguments[3]))
        case ("time", 4): try await time(registry, count: number(arguments[3]))
        default: exit(64)
        }
        await registry.close()
    }

    private static func number(_ text: String) -> Int {
        guard let number = Int(text) else { exit(64) }
        return number
    }

    private static func share(_ registry: any Registry, worker: Int, _ indices: Range<Int>) async throws {
        for index in indices {
            let path = index % 2 == 0 ? "common/\(index)" : "\(worker)/\(index)"
            let link = Link.url(try WebAddress("https://example.org/\(path)"))
            do {
                let registration = try await registry.register(try LinkDraft(link, clientKind: "workload"))
                say("\(index) \(registration.record.code)\n")
            } catch { say("\(index) ! \(error)\n") }
        }
    }

    /// One write, so that a line is there whole or, of a process that was killed, not.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data(line.utf8)) }

    private static func fill(_ registry: any Registry, count: Int) async throws {
        let start = ContinuousClock.now
        for first in stride(from: 0, to: count, by: 20_000) {
            let entries = try (first..<min(first + 20_000, count)).map { index in
                RegistryEntry(
                    record: LinkRecord(
                        code: code(index), link: .url(try WebAddress("https://example.org/\(index)")),
                        title: "Link number \(index)", claimedMediaType: nil,
                        created: Timestamp(milliseconds: 1_700_000_000_000 + Int64(index)), expires: nil,
                        clientKind: "workload"), tokenDigest: [UInt8](repeating: 0, count: 32), content: nil)
            }
            _ = try await registry.add(entries)
            if first % 1_000_000 == 0 { say("\(first) links after \(ContinuousClock.now - start)\n") }
        }
        say("\(count) links after \(ContinuousClock.now - start)\n")
    }

    /// A code that follows from a number and looks drawn (SplitMix64, Steele et al. 2014).
    private static func code(_ index: Int) -> Shortcode {
        var z = UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z >> 31
        guard let code = Shortcode(symbols: (0..<10).map { UInt8(truncatingIfNeeded: z >> (5 * UInt64($0))) & 31 })
        else { preconditionFailure("ten symbols of five bits are a code") }
        return code
    }

    private static func time(_ registry: any Registry, count: Int) async throws {
        var known: [Shortcode] = []
        var last: Shortcode?
        // A page of codes from many places of the whole range.
        while known.count < count {
            let page = try await registry.entries(after: .random(), limit: 20)
            guard !page.isEmpty || last == nil else { break }
            last = page.last?.record.code ?? last
            known += page.map(\.record.code)
        }
        known = Array(known.shuffled().prefix(count))
        report("look-up of a known code", try await known.times { _ = try await registry.record(of: $0) })
        let unknown = (0..<count).map { _ in Shortcode.random() }
        report("look-up of an unknown code", try await unknown.times { _ = try await registry.record(of: $0) })
        let run = UInt64.random(in: 0 ... .max)
        let drafts = try (0..<count).map { index in
            try LinkDraft(.url(WebAddress("https://example.com/\(run)/\(index)")), clientKind: "workload")
        }
        report("share of a new link", try await drafts.times { _ = try await registry.register($0) })
        report("share of the same link", try await drafts.times { _ = try await registry.register($0) })
    }

    private static func report(_ name: String, _ times: [Duration]) {
        let sorted = times.sorted()
        func milliseconds(_ part: Double) -> String {
            String(format: "%.3f", sorted[Int(part * Double(sorted.count - 1))] / .milliseconds(1))
        }
        say("\(name): median \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, longest \(milliseconds(1)) ms\n")
    }
}

extension Shortcode {
    static func random() -> Shortcode {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}

extension Array where Element: Sendable {
    /// How long a body takes for each element.
    func times(_ body: (Element) async throws -> Void) async throws -> [Duration] {
        var times: [Duration] = []
        for element in self {
            let start = ContinuousClock.now
            try await body(element)
            times.append(ContinuousClock.now - start)
        }
        return times
    }
}
