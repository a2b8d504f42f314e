import Foundation
import SoundServer
import Testing

@testable import ChirpSound

/// libsndfile keeps the memory of Ogg headers that it gives up on.
@Suite struct OggHeadersTests {
    /// What the headers of a stream are given as.
    struct Stream: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pages: @Sendable (_ headers: [[UInt8]]) -> [[UInt8]]

        init(_ name: String, _ pages: @escaping @Sendable (_ headers: [[UInt8]]) -> [[UInt8]]) {
            testDescription = name
            self.pages = pages
        }
    }

    /// A megabyte of comments: it would be seen if it stayed.
    private static let comment = [UInt8](repeating: 0x78, count: 1_000_000)

    private static let intact = [
        Stream("as they are") { Ogg.pages([$0[0]]) + Ogg.pages(Array($0[1...]), from: 1) },
        Stream("each on pages of its own") { headers in
            let comments = Ogg.pages([headers[1]], from: 1)
            return Ogg.pages([headers[0]]) + comments + Ogg.pages([headers[2]], from: 1 + UInt32(comments.count))
        },
        Stream("with another stream in between") { headers in
            Ogg.pages([headers[0]]) + Ogg.pages([[1, 2, 3]], serialNumber: 9) + Ogg.pages(Array(headers[1...]), from: 1)
        },
    ]

    private static let broken = [
        Stream("without codebooks") { Ogg.pages([$0[0]]) + Ogg.pages([$0[1]], from: 1) },
        Stream("ending within the comments") { Array((Ogg.pages([$0[0]]) + Ogg.pages([$0[1]], from: 1)).dropLast()) },
        Stream("without a page of the comments") { headers in
            var pages = Ogg.pages([headers[0]]) + Ogg.pages(Array(headers[1...]), from: 1)
            pages.remove(at: 3)
            return pages
        },
        Stream("with a wrong checksum") { headers in
            var pages = Ogg.pages([headers[0]]) + Ogg.pages(Array(headers[1...]), from: 1)
            pages[pages.count - 1][30] ^= 1
            return pages
        },
        Stream("with an end before the codebooks") { headers in
            let comments = Ogg.pages([headers[1]], from: 1, flagsOfLast: 4)
            return Ogg.pages([headers[0]]) + comments + Ogg.pages([headers[2]], from: 1 + UInt32(comments.count))
        },
        Stream("of another version") { headers in
            var first = headers[0]
            first[7] = 1
            return Ogg.pages([first]) + Ogg.pages(Array(headers[1...]), from: 1)
        },
        Stream("all from the first page on") { Ogg.pages($0) },
        Stream("behind a tag") { headers in
            // Ten bytes, and as many of nothing.
            [Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)]
                + Ogg.pages([headers[0]]) + Ogg.pages([headers[1]], from: 1)
        },
    ]

    @Test(arguments: intact) func `a stream with long comments is read`(stream: Stream) throws {
        let headers = stream.pages(try Ogg.headers(comment: Self.comment))
        let bytes = (headers + (try Ogg.sound(behind: headers))).flatMap { $0 }
        #expect(OggHeaders.areIntact { Array(bytes.dropFirst($0).prefix($1)) })
        try withFile(bytes) { path in
            let reader = try AudioFileReader(path: path)
            var block = AudioBlock(channelCount: 1)
            var count = 0
            while try reader.read(into: &block) { count += block.frameCount }
            #expect(count == Ogg.frameCount)
        }
    }

    @Test(arguments: broken) func `headers that are broken are refused and leave nothing in memory`(stream: Stream)
        throws
    {
        let bytes = stream.pages(try Ogg.headers(comment: Self.comment)).flatMap { $0 }
        try withFile(bytes) { path in
            let before = try residentBytes()
            for _ in 0..<100 {
                #expect(throws: AudioFileError.notSound(path: path, reason: Self.reason)) {
                    try AudioFileReader(path: path)
                }
            }
            // Each would leave a megabyte; sanitizers keep what was freed.
            let left = try residentBytes() - before
            #expect(isSanitized || left < 50_000_000)
        }
    }

    private static let reason = "Supported file format but file is malformed."

    @Test func `an Ogg file that is cut off anywhere in its headers is refused`() throws {
        let headers = try Ogg.headers(comment: [1, 2, 3])
        let bytes = (Ogg.pages([headers[0]]) + Ogg.pages(Array(headers[1...]), from: 1)).flatMap { $0 }
        for length in 4..<bytes.count {
            #expect(!OggHeaders.areIntact { Array(bytes.prefix(length).dropFirst($0).prefix($1)) }, "\(length)")
        }
        #expect(OggHeaders.areIntact { Array(bytes.dropFirst($0).prefix($1)) })
    }

    @Test func `what is no Vorbis is left to the library`() {
        for start in ["RIFF", "fLaC", "ID3\u{3}", ""] {
            #expect(OggHeaders.areIntact { Array(Array(start.utf8).dropFirst($0).prefix($1)) })
        }
        let opus = Ogg.pages([Array("OpusHead".utf8)]).flatMap { $0 }
        #expect(OggHeaders.areIntact { Array(opus.dropFirst($0).prefix($1)) })
    }

    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".ogg")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        try body(file.path)
    }

    private func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * Int(getpagesize())
    }
}

/// Pages of Ogg streams, written and taken apart as RFC 3533 has them.
private enum Ogg {
    /// Packets on as few pages as they fit on.
    static func pages(
        _ packets: [[UInt8]], from first: UInt32 = 0, serialNumber: UInt32 = 1, flagsOfLast: UInt8 = 0
    ) -> [[UInt8]] {
        var segments: [ArraySlice<UInt8>] = []
        for packet in packets {
            var rest = packet[...]
            while rest.count >= 255 {
                segments.append(rest.prefix(255))
                rest = rest.dropFirst(255)
            }
            segments.append(rest)
        }
        return stride(from: 0, to: segments.count, by: 255).map { start in
            let mine = segments[start..<min(start + 255, segments.count)]
            let number = first + UInt32(start / 255)
            var flags: UInt8 = number == 0 || serialNumber != 1 ? 2 : 0
            if start > 0, segments[start - 1].count == 255 { flags |= 1 }
            if start + 255 >= segments.count { flags |= flagsOfLast }
            return page(Array(mine), flags: flags, serialNumber: serialNumber, sequenceNumber: number)
        }
    }

    private static func page(
        _ segments: [ArraySlice<UInt8>], flags: UInt8, serialNumber: UInt32, sequenceNumber: UInt32
    ) -> [UInt8] {
        var page = Array("OggS".utf8) + [0, flags] + numbers([0, 0, serialNumber, sequenceNumber, 0])
        page += [UInt8(segments.count)] + segments.map { UInt8($0.count) } + segments.flatMap { $0 }
        page.replaceSubrange(22..<26, with: numbers([checksum(page)]))
        return page
    }

    /// Least significant bytes first.
    private static func numbers(_ numbers: [UInt32]) -> [UInt8] {
        numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
        }
    }

    /// The three headers that libvorbis writes, with another comment.
    static func headers(comment: [UInt8]) throws -> [[UInt8]] {
        let packets = try whole().flatMap(\.packets)
        let comments = Array("\u{3}vorbis".utf8) + numbers([UInt32(comment.count)]) + comment + numbers([0]) + [1]
        return [packets[0], comments, packets[2]]
    }

    /// Pages of a tenth of a second that follow pages of headers.
    static func sound(behind headers: [[UInt8]]) throws -> [[UInt8]] {
        let count = headers.count { $0[14] == 1 }
        return try whole().filter { !$0.isHeader }.enumerated().map { index, page in
            var bytes = page.bytes
            bytes.replaceSubrange(14..<26, with: numbers([1, UInt32(count + index), 0]))
            bytes.replaceSubrange(22..<26, with: numbers([checksum(bytes)]))
            return bytes
        }
    }

    static let frameCount = 4_410

    private struct Page {
        let bytes: [UInt8]
        let packets: [[UInt8]]
        /// Samples up to its end are 0 on the pages of headers.
        let isHeader: Bool
    }

    private static func whole() throws -> [Page] {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".ogg")
        defer { try? FileManager.default.removeItem(at: file) }
        let writer = try AudioFileWriter(path: file.path, format: .ogg, sampleRateHertz: 44_100)
        try writer.write((0..<frameCount).map { 0.5 * sin(0.1 * Float($0)) })
        try writer.finish()
        var rest = Array(try Data(contentsOf: file))[...]
        var pages: [Page] = []
        while rest.count > 27 {
            let start = rest.startIndex
            let lengths = rest[(start + 27)..<(start + 27 + Int(rest[start + 26]))].map { Int($0) }
            let length = 27 + lengths.count + lengths.reduce(0, +)
            var body = rest[(start + 27 + lengths.count)...]
            var packets: [[UInt8]] = [[]]
            for segment in lengths {
                packets[packets.count - 1] += body.prefix(segment)
                body = body.dropFirst(segment)
                if segment < 255 { packets.append([]) }
            }
            packets.removeLast()
            let position = rest[(start + 6)..<(start + 14)]
            pages.append(
                Page(bytes: Array(rest.prefix(length)), packets: packets, isHeader: position.allSatisfy { $0 == 0 }))
            rest = rest.dropFirst(length)
        }
        return pages
    }
}
