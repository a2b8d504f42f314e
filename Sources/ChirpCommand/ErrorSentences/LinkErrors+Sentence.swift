internal import Chirp
internal import ChirpLinks
internal import Foundation

extension LinkError: ExplainedError {
    var sentence: String {
        switch self {
        case .userNameLength(let name): "“\(name)” is not a Last.fm name: those have 2 to 15 characters"
        case .userNameStart(let name): "“\(name)” is not a Last.fm name: those begin with a letter"
        case .userNameCharacter(let name, let character):
            "“\(name)” is not a Last.fm name: “\(character)” is neither a letter from a to z, a digit, - nor _"
        case .notAWeek(let from, let to): "\(from) to \(to) is not a week of Last.fm's weekly chart list"
        case .malformedAddress(let text):
            "“\(text)” is not a web address: it is empty, or has a space, an invisible character or a wrong port in it"
        case .addressScheme(let text): "“\(text)” is not a web address: it begins with neither http:// nor https://"
        case .addressHost(let text): "“\(text)” is not a web address: it names no host"
        case .addressCredentials:
            "the address has a user name or password in it, which everybody who hears the code would get: leave it out"
        case .addressLength(let count, let limit): "the address has \(count) bytes, and may have \(limit)"
        case .emptyText: "the note is empty"
        case .textBytes(let count, let limit): "the note has \(count) bytes, and may have \(limit)"
        case .textLength(let count, let limit): "the note has \(count) characters, and may have \(limit)"
        case .textCharacter: "the note has the character U+0000 in it, which no text has"
        case .notAnObject(let reason): "that is not a JSON object: \(reason)"
        case .dataLength(let count, let limit): "the object has \(count) bytes, and may have \(limit)"
        case .emptyFile: "the file is empty"
        case .fileLength(_, let limit): "the file is larger than \(limit / 1_048_576) MB"
        case .fileType: "the file is not a png, jpeg, gif or webp picture and not a PDF, whatever its name says"
        case .titleLength(let count, let limit): "the title has \(count) characters, and may have \(limit)"
        case .mediaType(let text): "“\(text)” is not a media type such as text/html"
        case .expired: "the link would end before it begins"
        }
    }
}

extension RegistryLocationError: ExplainedError {
    var sentence: String {
        switch self {
        case .empty: "the registry has no name: give a SQLite file, a postgresql:// URL or an http(s):// URL"
        case .unknownScheme(let scheme):
            "“\(scheme)://” is no registry: give a SQLite file, a postgresql:// URL or an http(s):// URL"
        case .malformedURL(let text): "“\(text)” is not the address of a chirp serve"
        }
    }
}

extension RegistryError: ExplainedError {
    var sentence: String {
        switch self {
        case .codeTaken(let code): "\(code): the code stands for something else (chirp resolve \(code) says what)"
        case .linkHasCode(let code): "the link has the code \(code), and gets no second one"
        case .wrongToken(let code): "\(code): this token does not delete it"
        case .noFreeCode(let draws): "no free code in \(draws) draws: the system's random source is broken"
        case .contentMissing(let code): "\(code): the entry lacks the file's content"
        case .store(let failure): failure.sentence
        }
    }
}

extension StoreFailure: ExplainedError {
    var sentence: String {
        let said = message.isEmpty ? "" : " (\(message))"
        return switch reason {
        case .full: "\(location): cannot \(operation): its disk is full\(said); free some space and try again"
        case .readOnly:
            "\(location): cannot \(operation): it may not be written\(said); change its permissions or name another "
                + "with --registry"
        case .corrupt:
            "\(location): cannot \(operation): it is damaged or no registry\(said); restore it from a copy or name "
                + "another with --registry"
        case .newerSchema(let found, let known):
            "\(location): was made by a later chirp (schema \(found), this one knows \(known)); update this chirp"
        case .busy: "\(location): cannot \(operation): others keep it busy\(said); try again"
        case .unreachable:
            "\(location): cannot \(operation): it is out of reach\(said); check that it is there and runs"
        case .accessDenied:
            "\(location): cannot \(operation): access is denied\(said); check user, password and permissions"
        case .other: "\(location): cannot \(operation): \(message)"
        }
    }
}

/// What is given to share or import cannot be read, or a result not written.
struct ContentProblem: ExplainedError {
    let path: String
    let reason: String

    var sentence: String { "\(path): \(reason)" }

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// What the system said of a file, in its own words and not in Foundation's.
    init(path: String, cause: any Error) {
        var isFolder: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let underlying = (cause as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        let errors = [cause, underlying].compactMap { $0.map { $0 as NSError } }
        let number = errors.first { $0.domain == NSPOSIXErrorDomain }?.code
        let missing = [CocoaError.Code.fileNoSuchFile, .fileReadNoSuchFile].map(\.rawValue)
        let isMissing = errors.contains { $0.domain == NSCocoaErrorDomain && missing.contains($0.code) }
        if exists, isFolder.boolValue {
            self.init(path: path, reason: "it is a folder")
        } else if let number {
            self.init(path: path, reason: unsafe String(cString: strerror(Int32(number))))
        } else {
            self.init(path: path, reason: isMissing ? "there is no such file or folder" : cause.localizedDescription)
        }
    }
}

/// A line that is no entry of a registry.
struct ImportProblem: ExplainedError {
    let file: String
    let line: Int
    let reason: String

    var sentence: String {
        "\(file), line \(line): \(reason); what was read before it is imported, and importing again does no harm"
    }

    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as any ExplainedError: return error.sentence
        case let error as LinkSummaryError: return "a link of kind \(error.kind.rawValue) lacks “\(error.missing)”"
        case DecodingError.keyNotFound(let key, _): return "“\(key.stringValue)” is missing"
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            return (context.codingPath.last.map { "“\($0.stringValue)”: " } ?? "") + context.debugDescription
        default: return String(describing: error)
        }
    }
}

/// A link is to be deleted without its token.
struct TokenMissing: ExplainedError {
    let code: Shortcode

    var sentence: String {
        "\(code): was not shared from here, or no history is kept; give the token that came with it by --token"
    }
}
