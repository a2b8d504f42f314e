internal import ChirpLinks
internal import Foundation
internal import HTTPTypes

/// JSON that a client sent.
enum JSONBody {
    /// Values of a body of which one link is made: an object of 8 KB has no more than half of that. To decode a value costs some microseconds,
    /// and to try what it is fills memory: six million numbers took 17 s of a core.
    static let valueLimit = 10_000
    /// Objects and arrays within each other; what is decoded cannot be encoded within another from 510 on.
    static let depthLimit = DataObject.depthLimit + 8

    /// - Throws: `DecodingError` or ``ServiceError``, and nothing else whatever the text.
    static func decode<T: Decodable>(_ type: T.Type, _ bytes: some Collection<UInt8>) throws -> T {
        try check(bytes)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw error
        } catch {
            throw ServiceError.malformedJSON
        }
    }

    /// Refuses what is made of too many values, or too deep, before any of it is decoded.
    private static func check(_ bytes: some Collection<UInt8>) throws(ServiceError) {
        var (count, depth, isString, isEscaped) = (0, 0, false, false)
        for byte in bytes {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isString
            case UInt8(ascii: "\""): isString.toggle()
            case _ where isString: break
            case UInt8(ascii: ","): count += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                count += 1
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            guard count <= valueLimit else {
                throw ServiceError(.contentTooLarge, "The JSON has more than \(valueLimit) values.")
            }
            guard depth <= depthLimit else {
                throw ServiceError(.badRequest, "The JSON is nested deeper than \(depthLimit) levels.")
            }
        }
    }
}
