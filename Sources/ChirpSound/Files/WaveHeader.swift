/// What a WAV file's header says of its samples, read with the suspicion that it may be wrong.
///
/// Chunks as in "Multimedia Programming Interface and Data Specifications 1.0" (IBM and Microsoft, 1991); the extensible
/// format as Microsoft documents it.
struct WaveHeader: Equatable {
    /// The samples' format, where they are plain: PCM, float, A-law or µ-law.
    let samples: RawFormat?
    /// Place of the first sample's first byte.
    let dataOffset: Int
    /// What the header says.
    let claimedLength: Int

    /// Whether its writer knew the length: those that do not put down 0, 0xFFFFFFFF or a little under 2³¹.
    var knowsLength: Bool { claimedLength > 0 && claimedLength < 0x7FFF_0000 }

    /// The header, or nil when this is no WAV file or has no data chunk where it was looked for.
    ///
    /// - Parameter bytes: gives the bytes at a place, fewer where the file ends.
    init?(bytes: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let opening = bytes(0, 12)
        guard opening.count == 12, opening[8...].elementsEqual("WAVE".utf8) else { return nil }
        let isBigEndian = opening.starts(with: "RIFX".utf8)
        guard isBigEndian || opening.starts(with: "RIFF".utf8) else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> Int {
            (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        var offset = 12
        var format: RawFormat?
        for _ in 0..<Self.mostChunks {
            let head = bytes(offset, 8)
            guard head.count == 8 else { return nil }
            let length = number(head[4...])
            if head.starts(with: "data".utf8) {
                samples = format
                dataOffset = offset + 8
                claimedLength = length
                return
            }
            if head.starts(with: "fmt ".utf8) {
                format = Self.format(bytes(offset + 8, min(length, 40)), isBigEndian: isBigEndian, number: number)
            }
            offset += 8 + length + length % 2
        }
        return nil
    }

    private static let mostChunks = 256

    private static func format(
        _ chunk: [UInt8], isBigEndian: Bool, number: (ArraySlice<UInt8>) -> Int
    ) -> RawFormat? {
        guard chunk.count >= 16 else { return nil }
        var tag = number(chunk[0..<2])
        // An extensible format names the real one in the first two bytes of its GUID.
        if tag == 0xFFFE, chunk.count >= 26 { tag = number(chunk[24..<26]) }
        let encoding: RawFormat.Encoding? =
            switch (tag, number(chunk[14..<16])) {
            case (1, 8): .u8
            case (1, 16): isBigEndian ? .s16be : .s16le
            case (1, 24): isBigEndian ? .s24be : .s24le
            case (1, 32): isBigEndian ? .s32be : .s32le
            case (3, 32): isBigEndian ? .f32be : .f32le
            case (3, 64): isBigEndian ? .f64be : .f64le
            case (6, 8): .alaw
            case (7, 8): .ulaw
            default: nil
            }
        guard let encoding else { return nil }
        return RawFormat(
            encoding: encoding, sampleRateHertz: number(chunk[4..<8]), channelCount: number(chunk[2..<4]))
    }

    /// Whether what follows the samples, if they end where the header says, is more chunks up to the end of the file.
    func isPlausible(fileLength: Int, bytes: (_ offset: Int, _ count: Int) -> [UInt8]) -> Bool {
        let end = dataOffset + claimedLength
        guard end <= fileLength else { return false }
        // Some writers leave out the padding byte after an odd length.
        return [end + claimedLength % 2, end].contains { start in
            var offset = start
            // Fewer bytes than a chunk's head are nothing.
            while offset + 8 <= fileLength {
                let head = bytes(offset, 8)
                guard head.count == 8, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
                // Little-endian lengths suffice to tell samples from chunks: RIFX files end with their data.
                offset += 8 + head[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            return offset <= fileLength + 1
        }
    }
}
