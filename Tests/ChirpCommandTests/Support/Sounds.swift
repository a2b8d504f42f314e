import Chirp
import ChirpLab
import Foundation

/// Sounds and files that the tests make themselves.
enum Sounds {
    static let silence = [Float](repeating: 0, count: 20_000)

    /// A chirp with silence around it.
    static func chirp(_ code: String, rate: Int = 44_100) throws -> [Float] {
        silence
            + (try SenderModel.browser.samples(of: Codeword(parsing: code), sampleRateHertz: Double(rate), volume: 0.5))
            + silence
    }

    /// Channels' samples, frame by frame; all are as long as the shortest.
    static func interleaved(_ channels: [[Float]]) -> [Float] {
        (0..<(channels.map(\.count).min() ?? 0)).flatMap { frame in channels.map { $0[frame] } }
    }
}

/// A WAV file put together by hand, so that its header can say what it likes.
struct WaveBytes {
    enum Samples {
        case integers([Float])
        case floats([Float])
    }

    var samples: Samples
    var rate = 44_100
    var channels = 1
    /// What the header says of the data's length; nil for the truth.
    var claimedLength: UInt32?

    var data: Data {
        let (tag, bits, bytes): (UInt16, Int, Data) =
            switch samples {
            case .integers(let values):
                (1, 16, values.reduce(into: Data()) { $0.append(little: UInt16(bitPattern: Int16($1 * 32_767))) })
            case .floats(let values): (3, 32, values.reduce(into: Data()) { $0.append(little: $1.bitPattern) })
            }
        var file = Data("RIFF".utf8)
        file.append(little: UInt32(36 + bytes.count))
        file.append(Data("WAVEfmt ".utf8))
        file.append(little: UInt32(16))
        file.append(little: tag)
        file.append(little: UInt16(channels))
        file.append(little: UInt32(rate))
        file.append(little: UInt32(rate * channels * bits / 8))
        file.append(little: UInt16(channels * bits / 8))
        file.append(little: UInt16(bits))
        file.append(Data("data".utf8))
        file.append(little: claimedLength ?? UInt32(bytes.count))
        return file + bytes
    }
}

extension Data {
    mutating func append(little value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
