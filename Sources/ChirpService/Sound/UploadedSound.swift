internal import ChirpSound
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A sound that a client sent, in a file without a name, which goes with this process however it ends.
final class UploadedSound: Sendable {
    private let descriptor: Int32
    private let share: ByteBudget.Share

    /// Opens the file from its beginning, any number of times while this is there.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Receives the body of a request.
    ///
    /// - Throws: ``ServiceError``, ``ChirpSound/AudioFileError``
    init(_ request: Request, limit: Int, budget: ByteBudget) async throws {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw ServiceError.tooLarge(limit)
        }
        descriptor = try Self.orNoSpace { try TemporaryFile.open() }
        share = budget.share()
        var count = 0
        for try await piece in request.body {
            count += piece.readableBytes
            guard count <= limit else { throw ServiceError.tooLarge(limit) }
            try share.take(piece.readableBytes)
            try Self.orNoSpace { try TemporaryFile.write(ArraySlice(piece.readableBytesView), to: descriptor) }
        }
        guard count > 0 else { throw ServiceError(.badRequest, "The body is empty: send a sound file as it is.") }
    }

    /// What passes by itself is a refusal for now.
    private static func orNoSpace<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch AudioFileError.system(_, _, let code) where [ENOSPC, EDQUOT, EMFILE, ENFILE].contains(code) {
            throw ServiceError(
                .serviceUnavailable, "There is no space for a sound file at present.", headers: [.retryAfter: "5"])
        }
    }

    /// Gives the space back now, rather than when the last thread has let go of the sound.
    func remove() {
        ftruncate(descriptor, 0)
        share.giveBack()
    }

    deinit {
        remove()
        close(descriptor)
    }
}
