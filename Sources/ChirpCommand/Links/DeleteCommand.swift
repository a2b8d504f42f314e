internal import ArgumentParser
internal import Chirp
internal import ChirpLinks

struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a link, with the token that its registration returned.")

    @Argument(help: "The code.")
    var code: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The deletion token; not needed for links shared from this machine.", valueName: "token"))
    var token: String?

    @OptionGroup var choice: RegistryOptions

    func validate() throws {
        guard token.map({ DeletionToken($0) != nil }) ?? true else {
            throw ValidationError("--token takes 32 hexadecimal digits.")
        }
    }

    mutating func run() async throws {
        let code: Shortcode
        do { code = try Shortcode(parsing: self.code) } catch { throw CodeProblem(code: self.code, cause: error) }
        let history = History(environment: environment)
        let secret: DeletionToken
        if let given = token.flatMap({ DeletionToken($0) }) {
            secret = given
        } else {
            guard let kept = try await history?.token(for: code) else { throw TokenMissing(code: code) }
            secret = kept
        }
        try choice.checkExists(isNamed: choice.registry != nil)
        let registry = try choice.open()
        let isDeleted = try await registry.delete(code, token: secret)
        await registry.close()
        guard isDeleted else {
            StandardError.say("\(code): \(try choice.location()) does not have this code")
            throw ExitCode.nothingFound
        }
        try? await history?.forgetToken(for: code)
    }
}
