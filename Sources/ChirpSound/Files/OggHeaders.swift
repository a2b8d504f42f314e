/// Whether libsndfile 1.2 gives back what it takes in memory when it opens a file.
///
/// Of an Ogg stream with Vorbis, it does not free what libvorbis has read of the three headers when one of them is missing or broken:
/// 6 kB, and the comments, which may be as long as the file. Such a file is not given to it. It would refuse it, too.
enum OggHeaders {
    /// Whether the file may be given to libsndfile: it is no Ogg stream, or one whose headers libsndfile reads to their end.
    ///
    /// Pages are followed as "The Ogg Encapsulation Format" (RFC 3533, section 6) has them, from the first byte on and without gaps,
    /// where libogg would look for the next page. The headers are those of "Vorbis I specification", section 4.2.
    ///
    /// - Parameter bytes: gives the bytes at a place, fewer where the file ends.
    static func areIntact(bytes: (_ offset: Int, _ count: Int) -> [UInt8]) -> Bool {
        guard let start = startBehindTags(bytes) else { return false }
        guard bytes(start, 4).elementsEqual("OggS".utf8) else { return true }
        // libsndfile reads the headers of a stream that follows tags, and refuses it then.
        guard start == 0, let first = Page(at: 0, bytes: bytes) else { return false }
        guard first.body.starts(with: "\u{1}vorbis".utf8) else { return true }
        // The first header has a page to itself. A version other than 0 is the one thing that libvorbis does not clean up after.
        guard first.isFirst, !first.isContinued, !first.isLast, first.packetEndCount == 1, first.endsWithPacket,
            first.body.dropFirst(7).starts(with: [0, 0, 0, 0])
        else { return false }
        return followingPacketsEnd(behind: first, bytes)
    }

    /// Whether the comments and the codebooks follow the first page in one piece.
    private static func followingPacketsEnd(
        behind first: Page, _ bytes: (_ offset: Int, _ count: Int) -> [UInt8]
    ) -> Bool {
        var offset = first.length
        var packetCount = 0
        var sequenceNumber = first.sequenceNumber
        var isWithinPacket = false
        for _ in 0..<pageLimit {
            guard let page = Page(at: offset, bytes: bytes) else { return false }
            offset += page.length
            // Other streams may be in the same file.
            guard page.serialNumber == first.serialNumber else { continue }
            sequenceNumber &+= 1
            guard page.sequenceNumber == sequenceNumber, page.isContinued == isWithinPacket else { return false }
            packetCount += page.packetEndCount
            if packetCount >= 2 { return true }
            guard !page.isLast else { return false }
            isWithinPacket = page.segmentCount > 0 ? !page.endsWithPacket : isWithinPacket
        }
        return false
    }

    /// More than any headers take: 260 MB in pages that are full.
    private static let pageLimit = 4_096
    /// More tags than anybody writes.
    private static let tagLimit = 16

    /// Where a file begins behind its ID3v2 tags, which libsndfile skips; nil when there are too many of them, or one is shorter than what
    /// libsndfile looks at: it then looks for the beginning at a wrong place.
    private static func startBehindTags(_ bytes: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        var start = 0
        for _ in 0..<tagLimit {
            let head = bytes(start, 10)
            guard head.count == 10, isTag(head) else { return start }
            // Seven bits of each byte ("ID3 tag version 2.4.0", section 3.1).
            let length = 10 + head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
            guard length >= 12 else { return nil }
            start += length
        }
        return nil
    }

    /// Whether a file with these first bytes begins with an ID3v2 tag.
    private static func isTag(_ head: [UInt8]) -> Bool {
        head.starts(with: "ID3".utf8) && head.count > 3 && (2...4).contains(head[3])
    }
}

/// A page of an Ogg stream (RFC 3533, section 6).
private struct Page {
    let isContinued: Bool
    let isFirst: Bool
    let isLast: Bool
    let serialNumber: UInt32
    let sequenceNumber: UInt32
    let segmentCount: Int
    /// How many packets end on it.
    let packetEndCount: Int
    /// Whether its last segment ends a packet.
    let endsWithPacket: Bool
    let body: [UInt8]
    let length: Int

    /// The page at a place; nil when it is not whole or its checksum is wrong.
    init?(at offset: Int, bytes: (_ offset: Int, _ count: Int) -> [UInt8]) {
        var head = bytes(offset, Self.headLimit)
        guard head.count >= 27, head.starts(with: "OggS".utf8), head[4] == 0 else { return nil }
        segmentCount = Int(head[26])
        guard head.count >= 27 + segmentCount else { return nil }
        head.removeSubrange((27 + segmentCount)...)
        let segments = head[27...]
        let bodyLength = segments.reduce(0) { $0 + Int($1) }
        body = bytes(offset + head.count, bodyLength)
        guard body.count == bodyLength else { return nil }
        length = head.count + bodyLength
        isContinued = head[5] & 1 != 0
        isFirst = head[5] & 2 != 0
        isLast = head[5] & 4 != 0
        packetEndCount = segments.count { $0 < 255 }
        endsWithPacket = segments.last.map { $0 < 255 } ?? false
        func number(_ place: Int) -> UInt32 { head[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        serialNumber = number(14)
        sequenceNumber = number(18)
        let checksum = number(22)
        head.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        guard Self.checksum(body, after: Self.checksum(head, after: 0)) == checksum else { return nil }
    }

    /// 27 bytes, and as many lengths of segments as there can be.
    private static let headLimit = 27 + 255

    /// CRC-32 with the polynomial 0x04C11DB7, not reflected, starting from 0.
    private static func checksum(_ bytes: [UInt8], after start: UInt32) -> UInt32 {
        bytes.reduce(start) { $0 << 8 ^ table[Int(UInt8(truncatingIfNeeded: $0 >> 24) ^ $1)] }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
}
