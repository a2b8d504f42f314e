internal import Chirp
internal import ChirpLinks
internal import HTTPTypes

extension LinkError {
    /// 413 for what is too large, 415 for a file of another type, else 400.
    var status: HTTPResponse.Status {
        switch self {
        case .textLength, .textBytes, .dataLength, .fileLength: .contentTooLarge
        case .fileType: .unsupportedMediaType
        default: .badRequest
        }
    }

    /// A sentence for people.
    var message: String {
        switch self {
        case .userNameLength: "A Last.fm name has 2 to 15 characters."
        case .userNameStart: "A Last.fm name begins with a letter."
        case .userNameCharacter: "A Last.fm name has letters, digits, hyphens and underscores only."
        case .notAWeek: "The two instants are not the bounds of a week of Last.fm's list."
        case .malformedAddress: "The web address is empty, or has a space or an invisible character in it."
        case .addressScheme: "A web address begins with http:// or https://."
        case .addressHost: "The web address has no host."
        case .addressPort: "The port of a web address is a number from 1 to 65535."
        case .addressCredentials: "A web address with a user name or password in it is not shared."
        case .addressLength(_, let limit): "A web address has at most \(limit) bytes."
        case .emptyText: "The note is empty."
        case .textBytes(let count, let limit): "A note has at most \(limit) bytes, and this one \(count)."
        case .textLength(let count, let limit): "A note has at most \(limit) characters, and this one \(count)."
        case .textCharacter: "The note has the character U+0000 in it."
        case .notAnObject: "“data” is not a JSON object."
        case .dataLength(let count, let limit): "A data object has at most \(limit) bytes, and this one \(count)."
        case .emptyFile: "The file is empty."
        case .fileLength(_, let limit): "A file has at most \(limit / 1_048_576) MB."
        case .fileType: "The file is not a PNG, JPEG, GIF, WebP or PDF."
        case .titleLength(let count, let limit): "A title has at most \(limit) characters, and this one \(count)."
        case .titleBytes(let limit): "A title has at most \(limit) bytes."
        case .mediaType: "A media type is of the form type/subtype."
        case .expired: "The expiry time is in the past: choose a later one."
        case .invalid(let kind, let reason): "The \(kind.content.noun) cannot be shared: \(reason)."
        }
    }
}

extension UnknownFormatError {
    /// A sentence for people.
    var message: String { "“\(name)” is not a format: it is one of \(WireFormat.names)." }
}

extension ShortcodeError {
    /// A sentence for people.
    var message: String {
        switch self {
        case .empty: "The request contains no code."
        case .character(let character, let position):
            "“\(character)”, character \(position), is not allowed in a code; use 0 to 9 and a to v."
        case .length(let count): "A code has 10, 18 or 20 characters, and this one \(count)."
        case .startCode: "A code of 20 characters begins with hj."
        case .parity(let found, let expected):
            "The last eight characters are \(found) and should be \(expected): check the code for errors."
        }
    }
}

extension RegistryError {
    /// A sentence for people, without the store's whereabouts.
    var message: String {
        switch self {
        case .codeTaken(let code): "\(code) stands for something else."
        case .linkHasCode(let code): "The link already has the code \(code)."
        case .wrongToken(let code): "The deletion token of \(code) is wrong."
        case .contentMissing(let code): "The entry of \(code) has no file content."
        case .noFreeCode: "No free code was found."
        case .store(let failure):
            switch failure.reason {
            case .full: "The registry is full: try again later."
            case .readOnly: "The registry is read-only at present: try again later."
            case .busy: "The registry is busy: try again."
            case .unreachable: "The registry is unreachable: try again later."
            case .corrupt, .newerSchema, .accessDenied, .other:
                "The registry does not work at present: try again later."
            }
        }
    }
}
