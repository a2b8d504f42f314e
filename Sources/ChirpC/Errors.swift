public import CChirp
internal import Chirp

extension ShortcodeError {
    /// The number by which C knows the error.
    var code: chirp_error {
        switch self {
        case .empty: CHIRP_ERROR_EMPTY
        case .character: CHIRP_ERROR_CHARACTER
        case .length: CHIRP_ERROR_LENGTH
        case .startCode: CHIRP_ERROR_START_CODE
        case .parity: CHIRP_ERROR_PARITY
        }
    }
}

/// The sentence for an error.
private func sentence(for error: chirp_error) -> StaticString {
    switch error {
    case CHIRP_OK: "no error"
    case CHIRP_ERROR_ARGUMENT: "a pointer that must not be NULL is NULL"
    case CHIRP_ERROR_RECEIVER_RATE:
        "cannot receive at this sample rate: choose one from 8000 Hz to 192000 Hz, and for ultrasonic from 44100 Hz"
    case CHIRP_ERROR_SYNTHESIS_RATE:
        "the highest tones do not exist at this sample rate: choose one from 22050 Hz to 192000 Hz, for ultrasonic from 44100 Hz"
    case CHIRP_ERROR_EMPTY: "there is no code here: a code has 10 characters, a longcode 18 and a whole frame 20"
    case CHIRP_ERROR_CHARACTER: "this has a character that is not one of a code: those are 0–9 and a–v"
    case CHIRP_ERROR_LENGTH: "this has the wrong length: a code has 10 characters, a longcode 18 and a whole frame 20"
    case CHIRP_ERROR_START_CODE: "this frame of 20 characters does not begin with “hj”"
    case CHIRP_ERROR_PARITY:
        "the last 8 characters are not the parity of the first 10: one or the other has a typing error"
    case CHIRP_ERROR_CAPACITY: "the buffer is too small for the samples: ask for their number first"
    case CHIRP_ERROR_CHANNELS:
        "this receiver does not take so many channels: it takes 1 to 64, as many as it was made for"
    case CHIRP_ERROR_FORMAT: "there is no such format: choose original, telephone, ultrasonic, fast"
    default: "unknown error"
    }
}

/// A text of the library's own as C takes it.
private func pointer(to text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("chirp_error_message")
public func errorMessage(_ error: chirp_error) -> UnsafePointer<CChar> {
    unsafe pointer(to: sentence(for: error))
}

@_cdecl("chirp_version")
public func version() -> UnsafePointer<CChar> { unsafe versionText }

/// Made once and never freed or changed, so that threads may share it.
private nonisolated(unsafe) let versionText: UnsafePointer<CChar> = {
    let bytes = ChirpVersion.current.utf8CString
    let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = unsafe text.initialize(fromContentsOf: bytes)
    guard let start = text.baseAddress else { return unsafe pointer(to: "") }
    return unsafe UnsafePointer(start)
}()
