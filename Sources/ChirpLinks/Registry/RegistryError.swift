public import Chirp

/// Why a registry did not do what it was asked.
public enum RegistryError: Error, Sendable, Hashable {
    /// The code that a draft asks for stands for something else.
    case codeTaken(Shortcode)
    /// The link of a draft that asks for a code has another one.
    case linkHasCode(Shortcode)
    /// The token is not the one that deletes this code.
    case wrongToken(Shortcode)
    /// No code was free in so many draws, which happens to broken random sources only.
    case noFreeCode(draws: Int)
    /// An entry of a file came without the file's bytes.
    case contentMissing(Shortcode)
    /// The store cannot be used at all.
    case store(StoreFailure)
}

/// A store's failure: which store, doing what, and what it said.
public struct StoreFailure: Error, Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// No room is left on its disk.
        case full
        /// It may be read but not written.
        case readOnly
        /// Its file is not a registry, or is damaged.
        case corrupt
        /// A later version of this program made it.
        case newerSchema(found: Int, known: Int)
        /// Other processes held it for longer than the time limit.
        case busy
        /// Nothing answers there, or it stopped answering.
        case unreachable
        /// It does not let this user in.
        case accessDenied
        /// Anything else.
        case other
    }

    public let reason: Reason
    /// A path, or a URL without its password.
    public let location: String
    /// What was being done, such as `open` or `register`.
    public let operation: String
    /// What the library or server said, in one line.
    public let message: String

    public init(reason: Reason, location: String, operation: String, message: String) {
        self.reason = reason
        self.location = location
        self.operation = operation
        self.message = singleLine(message)
    }
}

extension RegistryError {
    /// Whether it says that a registry cannot be asked, and not what is wrong with one code.
    var concernsAllCodes: Bool {
        guard case .store(let failure) = self else { return false }
        return switch failure.reason {
        case .unreachable, .busy, .accessDenied, .newerSchema: true
        default: false
        }
    }
}
