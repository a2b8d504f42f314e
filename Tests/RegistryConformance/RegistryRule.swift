public import ChirpLinks

/// What every registry does, as checks that run against any of them, an empty one or one that is in use.
public enum RegistryRule: String, CaseIterable, Sendable {
    case newLinkGetsCode = "a new link gets a code, which then stands for it with all that was given"
    case sameLinkKeepsCode = "the same link gets the same code, and is not new"
    case unknownCodeIsNil = "a code that nobody registered stands for nothing"
    case codeAsGiven = "an original code is registered as given"
    case takenCodeIsRefused = "a code that stands for something else is refused"
    case secondCodeIsRefused = "a link that has a code gets no second one"
    case repeatedDraftIsNew = "a draft that is repeated after a broken connection is still its maker's"
    case fileKeepsBytes = "a file keeps its bytes, whatever they are"
    case deletionNeedsToken = "the token given at creation deletes a link, and no other does"
    case expiredIsGone = "an expired link is gone, and gets its code again"
    case expiredCodeIsFree = "the code of an expired link can be registered for another"
    case expiryIsLongestAsked = "a link stays for as long as anybody asked for"
    case expiredAreRemoved = "what has expired is removed, and nothing else"
    case listIsNewestFirst = "links are listed from the newest, page by page, without gap or repetition"
    case searchIsLiteral = "a search finds parts of title and subject, and takes wildcards literally"
    case entriesMoveLosslessly = "entries come back from another registry as they were"
    case importTwiceAddsNothing = "importing twice adds nothing"
    case importContradicts = "an import that contradicts changes nothing and says so"
    case importIsWhole = "an import that fails leaves nothing behind"
    case crowdAgrees = "a crowd that registers the same links at once agrees on their codes"
    case stateIsTold = "a registry that answers tells its state"

    /// Runs the check.
    ///
    /// - Parameters:
    ///   - registry: the registry under test.
    ///   - other: another one to move entries to and from; it may be of another sort.
    /// - Throws: ``RuleBroken``, or whatever the registry throws that it should not.
    public func check(_ registry: any Registry, moving other: any Registry) async throws {
        switch self {
        case .newLinkGetsCode: try await checkNewLink(registry)
        case .sameLinkKeepsCode: try await checkSameLink(registry)
        case .unknownCodeIsNil: try await checkUnknownCode(registry)
        case .codeAsGiven: try await checkCodeAsGiven(registry)
        case .takenCodeIsRefused: try await checkTakenCode(registry)
        case .secondCodeIsRefused: try await checkSecondCode(registry)
        case .repeatedDraftIsNew: try await checkRepeatedDraft(registry)
        case .fileKeepsBytes: try await checkFile(registry)
        case .deletionNeedsToken: try await checkDeletion(registry)
        case .expiredIsGone: try await checkExpired(registry)
        case .expiredCodeIsFree: try await checkExpiredCode(registry)
        case .expiryIsLongestAsked: try await checkLongestExpiry(registry)
        case .expiredAreRemoved: try await checkRemoval(registry)
        case .listIsNewestFirst: try await checkList(registry)
        case .searchIsLiteral: try await checkSearch(registry)
        case .entriesMoveLosslessly: try await checkMove(registry, other)
        case .importTwiceAddsNothing: try await checkImportTwice(registry, other)
        case .importContradicts: try await checkContradiction(registry)
        case .importIsWhole: try await checkWholeImport(registry)
        case .crowdAgrees: try await checkCrowd(registry)
        case .stateIsTold: try await checkState(registry)
        }
    }
}

/// A registry does not do what every registry does.
public struct RuleBroken: Error, CustomStringConvertible {
    public let description: String
}

func require(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) throws {
    guard condition else { throw RuleBroken(description: "line \(line): \(message())") }
}

/// Runs a body that must throw this error.
func requireThrows(
    _ expected: RegistryError, line: Int = #line, _ body: () async throws -> some Any
) async throws {
    do {
        let result = try await body()
        throw RuleBroken(description: "line \(line): answered \(result) instead of \(expected)")
    } catch let error as RegistryError {
        try require(error == expected, "threw \(error) instead of \(expected)", line: line)
    }
}
