/// An error with a message for users: `subject: cannot do what: cause; remedy`, in one line without a full stop.
///
/// Errors carry facts. Their messages are made in this folder, one file per group of error types.
protocol UserFacingError: Error {
    var userMessage: String { get }
}

/// The message for any error; others than ``UserFacingError`` use their description.
func userMessage(for error: any Error) -> String {
    (error as? any UserFacingError)?.userMessage ?? String(describing: error)
}
