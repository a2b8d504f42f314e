internal import Foundation
internal import HTTPTypes

/// JSON that a client sent.
enum JSONBody {
    /// - Throws: `DecodingError`, and nothing else whatever the text.
    static func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw error
        } catch {
            throw ServiceError.malformedJSON
        }
    }
}
