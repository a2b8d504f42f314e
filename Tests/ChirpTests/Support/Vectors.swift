import Foundation
import Testing

/// The vectors beside these tests.
enum Vectors {
    struct Longcodes: Decodable {
        struct Vector: Decodable, Sendable, CustomTestStringConvertible {
            let code: String
            let parity: String
            let source: String
            var testDescription: String { code }
        }
        let vectors: [Vector]
    }

    struct MeasuredPitches: Decodable {
        struct SampleRing: Decodable, Sendable, CustomTestStringConvertible {
            let code: String
            let hertz: [Double]
            var testDescription: String { code }
        }
        let recordings: [SampleRing]
    }

    struct ReedSolomonWords: Decodable {
        struct Damaged: Decodable {
            let received: String
            let erasures: [Int]
            let repaired: String
        }
        let codewords: [String]
        let damaged: [Damaged]
    }

    static func longcodes() throws -> [Longcodes.Vector] { try load(Longcodes.self, "longcodes").vectors }

    static func recordings() throws -> [MeasuredPitches.SampleRing] {
        try load(MeasuredPitches.self, "measured-pitches").recordings
    }

    static func reedSolomonWords() throws -> ReedSolomonWords { try load(ReedSolomonWords.self, "reed-solomon") }

    private static func load<Content: Decodable>(_ type: Content.Type, _ name: String) throws -> Content {
        guard let file = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }
}
