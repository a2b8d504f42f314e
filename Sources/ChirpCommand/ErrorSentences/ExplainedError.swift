/// An error that can be told to a person: what happened, where, and what to do, in one line without a full stop.
///
/// The facts are in the error; the sentence is made here, one extension in one file for every error type.
protocol ExplainedError: Error {
    var sentence: String { get }
}

/// The sentence for any error; those that nobody thought of describe themselves.
func sentence(for error: any Error) -> String {
    (error as? any ExplainedError)?.sentence ?? String(describing: error)
}
