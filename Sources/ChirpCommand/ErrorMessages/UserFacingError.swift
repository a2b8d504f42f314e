/// An error that can be told to a person: what happened, where, and what to do, in one line without a full stop.
///
/// The facts are in the error; the sentence is made here, one extension in one file for every error type.
protocol UserFacingError: Error {
    var userMessage: String { get }
}

/// The sentence for any error; those that nobody thought of describe themselves.
func userMessage(for error: any Error) -> String {
    (error as? any UserFacingError)?.userMessage ?? String(describing: error)
}
