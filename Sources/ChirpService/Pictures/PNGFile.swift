/// Pictures with a palette as PNG (Portable Network Graphics, third edition).
///
/// Compressed by runs of equal bytes in blocks of fixed Huffman codes (RFC 1951, 3.2.6): after the filter that takes
/// the row above from each, a picture of boxes is little but zeros.
enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameter palette: red, green and blue of each of at most 256 colours.
    static func bytes(of canvas: PixelCanvas, palette: [[UInt8]]) -> [UInt8] {
        let header = big(UInt32(canvas.width)) + big(UInt32(canvas.height)) + [8, 3, 0, 0, 0]
        return signature + chunk("IHDR", header) + chunk("PLTE", palette.flatMap(\.self))
            + chunk("IDAT", zlib(filtered(canvas))) + chunk("IEND", [])
    }

    /// Each row as the difference from the one above (PNG, 9.2, filter type 2).
    private static func filtered(_ canvas: PixelCanvas) -> [UInt8] {
        let (width, pixels) = (canvas.width, canvas.pixels)
        var bytes: [UInt8] = []
        bytes.reserveCapacity((width + 1) * canvas.height)
        for row in 0..<canvas.height {
            bytes.append(2)
            for column in 0..<width {
                let above = row == 0 ? 0 : pixels[(row - 1) * width + column]
                bytes.append(pixels[row * width + column] &- above)
            }
        }
        return bytes
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(UInt32(data.count)) + body + big(crc32(body))
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// PNG, annex D.
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// A zlib stream (RFC 1950) of one block.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01] + deflated(bytes) + big(high << 16 | low)
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var output = BitWriter()
        // The last block, of fixed codes.
        output.write(0b011, count: 3)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            output.literal(Int(byte))
            index += 1
            var run = 0
            while index + run < bytes.count, bytes[index + run] == byte { run += 1 }
            // Copies of 258 bytes from one byte back: length code 285, distance code 0. Shorter rests are literals.
            while run >= 258 {
                output.literal(285)
                output.code(0, length: 5)
                index += 258
                run -= 258
            }
            while run >= 3 {
                let length = min(run, 10)
                // Codes 257 to 264 stand for lengths 3 to 10 and have no further bits.
                output.literal(254 + length)
                output.code(0, length: 5)
                index += length
                run -= length
            }
        }
        output.literal(256)
        return output.finished
    }
}

/// Bits in the order of deflate: from the lowest of each byte, Huffman codes from their highest (RFC 1951, 3.1.1).
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var pendingCount = 0

    mutating func write(_ bits: Int, count: Int) {
        pending |= UInt32(bits) << pendingCount
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingCount -= 8
        }
    }

    mutating func code(_ code: Int, length: Int) {
        var reversed = 0
        for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
        write(reversed, count: length)
    }

    /// The fixed code of a literal or length (RFC 1951, 3.2.6).
    mutating func literal(_ value: Int) {
        switch value {
        case 0...143: code(0x30 + value, length: 8)
        case 144...255: code(0x190 + value - 144, length: 9)
        case 256...279: code(value - 256, length: 7)
        default: code(0xC0 + value - 280, length: 8)
        }
    }

    var finished: [UInt8] { pendingCount == 0 ? bytes : bytes + [UInt8(truncatingIfNeeded: pending)] }
}
