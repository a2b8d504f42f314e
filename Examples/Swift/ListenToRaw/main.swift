// Prints the chirps in 32-bit float samples from standard input as they come: rawlisten-example [RATE]
// For instance: ffmpeg -loglevel error -i song.flac -f f32le -ac 1 -ar 44100 - | rawlisten-example
import Chirp
import Foundation

let rate = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 44_100
let blocks = AsyncStream<[Float]> {
    var data = Data()
    while data.isEmpty || data.count % 4 != 0 {
        // A read may end in the middle of a sample.
        let more = try? FileHandle.standardInput.read(upToCount: 4_096 - data.count % 4)
        guard let more, !more.isEmpty else { break }
        data += more
    }
    guard data.count >= 4 else { return nil }
    return data.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
}

for await chirp in try Receiver(sampleRateHertz: rate).chirps(in: blocks) {
    print(chirp.shortcode)
}
