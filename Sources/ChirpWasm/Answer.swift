/// The text that the latest call left for its caller: a result, or the message of an error.
///
/// `nonisolated(unsafe)`: a module has one thread.
nonisolated(unsafe) private var answer: [UInt8] = []

/// Leaves a text for the caller and gives back 1.
func succeed(_ text: String) -> Int32 {
    answer = Array(text.utf8)
    return 1
}

/// Leaves an error's message for the caller and gives back 0.
func fail(_ message: String) -> Int32 {
    answer = Array(message.utf8)
    return 0
}

/// Copies as much of the text, UTF-8, as there is room for; gives back its whole length.
@_expose(wasm, "chirp_answer")
@_cdecl("chirp_answer")
func chirpAnswer(_ target: UnsafeMutablePointer<UInt8>, _ room: Int32) -> Int32 {
    for (index, byte) in answer.prefix(Int(room)).enumerated() { target[index] = byte }
    return Int32(answer.count)
}

/// Room for bytes, aligned for numbers of any kind.
@_expose(wasm, "chirp_allocate")
@_cdecl("chirp_allocate")
func chirpAllocate(_ count: Int32) -> UnsafeMutableRawPointer {
    .allocate(byteCount: Int(count), alignment: 16)
}

@_expose(wasm, "chirp_free")
@_cdecl("chirp_free")
func chirpFree(_ pointer: UnsafeMutableRawPointer) { pointer.deallocate() }
