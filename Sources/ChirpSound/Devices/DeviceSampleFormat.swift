/// How a device stores a sample; the order is that of preference.
///
/// All are little-endian, as the devices of every machine are that Linux sound runs on today; others are reached through
/// the system's own conversion.
enum DeviceSampleFormat: Sendable, CaseIterable {
    case float32
    case signed32
    /// 24 bits in the lower part of 32.
    case signed24
    /// 24 bits in three bytes.
    case signed24Packed
    case signed16

    var bytesPerSample: Int {
        switch self {
        case .float32, .signed32, .signed24: 4
        case .signed24Packed: 3
        case .signed16: 2
        }
    }

    /// Largest magnitude of an integer sample.
    private var fullScale: Float {
        switch self {
        case .float32: 1
        case .signed32: 2_147_483_648
        case .signed24, .signed24Packed: 8_388_608
        case .signed16: 32_768
        }
    }

    /// The samples that are stored in `bytes`, −1…1.
    func decode(_ bytes: some RandomAccessCollection<UInt8>) -> [Float] {
        let width = bytesPerSample
        var samples: [Float] = []
        samples.reserveCapacity(bytes.count / width)
        let scale = 1 / fullScale
        var position = bytes.startIndex
        for _ in 0..<bytes.count / width {
            var word: UInt32 = 0
            for byte in 0..<width { word |= UInt32(bytes[bytes.index(position, offsetBy: byte)]) << (8 * byte) }
            position = bytes.index(position, offsetBy: width)
            switch self {
            case .float32: samples.append(Float(bitPattern: word))
            case .signed32: samples.append(Float(Int32(bitPattern: word)) * scale)
            // The upper byte of a 24-bit sample in 32 bits is not defined: the sign is bit 23.
            case .signed24, .signed24Packed: samples.append(Float(Int32(bitPattern: word << 8) >> 8) * scale)
            case .signed16: samples.append(Float(Int16(truncatingIfNeeded: word)) * scale)
            }
        }
        return samples
    }

    /// Appends samples, clamped to −1…1, each of them `copies` times in a row: once for every channel.
    func encode(_ samples: some Sequence<Float>, copies: Int, to bytes: inout [UInt8]) {
        let width = bytesPerSample
        let peak = fullScale - 1
        for sample in samples {
            let clamped = sample.isFinite ? min(max(sample, -1), 1) : 0
            let word =
                switch self {
                case .float32: clamped.bitPattern
                // 2³¹ − 1 is not a Float: the arithmetic is that of Double.
                case .signed32: UInt32(bitPattern: Int32((Double(clamped) * 2_147_483_647).rounded()))
                case .signed24, .signed24Packed, .signed16:
                    UInt32(bitPattern: Int32((clamped * peak).rounded()))
                }
            for _ in 0..<copies {
                for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * byte))) }
            }
        }
    }
}
