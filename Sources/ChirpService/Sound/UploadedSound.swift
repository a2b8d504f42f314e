internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A sound that a client sent, in a file of its own that goes with it.
final class UploadedSound: Sendable {
    let path: String
    private let share: ByteBudget.Share

    /// Receives the body of a request.
    ///
    /// - Throws: ``ServiceError``
    init(_ request: Request, limit: Int, budget: ByteBudget) async throws {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw ServiceError.tooLarge(limit)
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("chirp-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Self.noSpace }
        self.path = path
        share = budget.share()
        var count = 0
        for try await piece in request.body {
            count += piece.readableBytes
            guard count <= limit else { throw ServiceError.tooLarge(limit) }
            try share.take(piece.readableBytes)
            do { try file.write(contentsOf: Data(piece.readableBytesView)) } catch { throw Self.noSpace }
        }
        try file.close()
        guard count > 0 else { throw ServiceError(.badRequest, "The body is empty: send a sound file as it is.") }
    }

    private static let noSpace = ServiceError(
        .serviceUnavailable, "There is no space for a sound file at present.", headers: [.retryAfter: "5"])

    /// Removes the file now, rather than when the last thread has let go of it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        share.giveBack()
    }

    deinit { remove() }
}
