internal import Chirp
internal import Foundation
internal import SoundServer

/// Whether memory grows while an hour of sound goes by, as fast as it is decoded.
enum Memory {
    private static let sampleRateHertz = 48_000

    static func measure(hours: Double) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/sound"
        guard mkfifo(path, 0o600) == 0 else { throw NotStarted(program: "mkfifo", code: errno) }
        let decoder = try RunningProcess(
            RunningProcess.chirp, ["decode", "--json", "--no-resolve", "--raw", "f32le:\(sampleRateHertz):1", path],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "CHIRP_HISTORY": "off"])
        let sound = try loop()
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { throw NotStarted(program: path, code: errno) }

        let minutes = Int((hours * 60).rounded())
        var bytesByMinute: [Int] = []
        for _ in 1...minutes {
            for _ in 0..<60 / loopSeconds {
                guard write(all: sound[...], to: descriptor) else { throw NotStarted(program: path, code: errno) }
            }
            bytesByMinute.append(ProcessUse(decoder.identifier)?.residentBytes ?? 0)
        }
        close(descriptor)
        let result = try await decoder.result()
        func megabytes(_ minute: Int) -> String {
            String(format: "%.1f", Double(bytesByMinute[min(minute, minutes) - 1]) / 1_048_576)
        }
        let points = [1, 5, 15, 30, 45, 60].filter { $0 <= minutes }
        LiveBenchmark.print(
            "Resident memory after \(points.map(String.init).joined(separator: ", ")) minutes",
            points.map(megabytes).joined(separator: ", ") + " MB")
        LiveBenchmark.print("Codes in that time", "\(result.lines.count) of \(minutes * 60 / loopSeconds)")
        if !result.errors.isEmpty { LiveBenchmark.print("It said", result.errors) }
    }

    private static let loopSeconds = 20

    /// Twenty seconds of noise with a chirp at −10 dB of it, as the bytes of 32-bit samples.
    private static func loop() throws -> [UInt8] {
        let synthesiser = try Synthesiser(sampleRateHertz: Double(sampleRateHertz))
        let chirp = try synthesiser.samples(of: Codeword(parsing: "gsm2h88c7u"), volume: 0.045)
        var generator = SystemRandomNumberGenerator()
        return (0..<loopSeconds * sampleRateHertz).flatMap { index in
            // Uniform in ±0.17: a power of −20 dB of full scale.
            let noise = Float.random(in: -0.17...0.17, using: &generator)
            let sample = noise + (index >= 48_000 && index - 48_000 < chirp.count ? chirp[index - 48_000] : 0)
            return (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * $0)) }
        }
    }

    private static func write(all bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
