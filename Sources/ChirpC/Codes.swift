public import CChirp
internal import Chirp

@_cdecl("chirp_parse")
public func parse(_ text: UnsafePointer<CChar>?, _ code: UnsafeMutablePointer<CChar>?) -> chirp_error {
    guard let code = unsafe code else { return CHIRP_ERROR_ARGUMENT }
    return unsafe read(text) { unsafe write($0.shortcode.description, to: code) }
}

@_cdecl("chirp_longcode")
public func longcode(_ code: UnsafePointer<CChar>?, _ longcode: UnsafeMutablePointer<CChar>?) -> chirp_error {
    guard let longcode = unsafe longcode else { return CHIRP_ERROR_ARGUMENT }
    return unsafe read(code) { unsafe write($0.description, to: longcode) }
}

@_cdecl("chirp_synthesise")
public func synthesise(
    _ code: UnsafePointer<CChar>?, _ rate: Double, _ volume: Float, _ samples: UnsafeMutablePointer<Float>?,
    _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> chirp_error {
    unsafe write(code, .original, rate, volume, samples, capacity, count)
}

@_cdecl("chirp_synthesise_format")
public func synthesiseFormat(
    _ code: UnsafePointer<CChar>?, _ format: UnsafePointer<CChar>?, _ rate: Double, _ volume: Float,
    _ samples: UnsafeMutablePointer<Float>?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> chirp_error {
    guard let name = unsafe format, let size = unsafe count else { return CHIRP_ERROR_ARGUMENT }
    unsafe size.pointee = 0
    guard let format = unsafe WireFormat(named: String(cString: name)) else { return CHIRP_ERROR_FORMAT }
    return unsafe write(code, format, rate, volume, samples, capacity, count)
}

/// Writes the sound of a code in a format.
private func write(
    _ code: UnsafePointer<CChar>?, _ format: WireFormat, _ rate: Double, _ volume: Float,
    _ samples: UnsafeMutablePointer<Float>?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> chirp_error {
    guard let count = unsafe count else { return CHIRP_ERROR_ARGUMENT }
    unsafe count.pointee = 0
    var failure = CHIRP_OK
    let parsing = unsafe read(code) { codeword in
        guard let synthesiser = try? Synthesiser(sampleRateHertz: rate, format: format) else {
            failure = CHIRP_ERROR_SYNTHESIS_RATE
            return
        }
        unsafe count.pointee = synthesiser.symbolEdge(format.frameSymbolCount)
        guard let samples = unsafe samples else { return }
        // A size_t comes as a signed integer here.
        guard unsafe UInt(bitPattern: capacity) >= count.pointee else {
            failure = CHIRP_ERROR_CAPACITY
            return
        }
        let sound = synthesiser.samples(of: codeword, volume: volume)
        _ = unsafe UnsafeMutableBufferPointer(start: samples, count: sound.count).initialize(fromContentsOf: sound)
    }
    return parsing == CHIRP_OK ? failure : parsing
}

/// Reads a code as people paste it and does something with it.
private func read(_ text: UnsafePointer<CChar>?, _ use: (Codeword) -> Void) -> chirp_error {
    guard let text = unsafe text else { return CHIRP_ERROR_ARGUMENT }
    do {
        use(try unsafe Codeword(parsing: String(cString: text)))
        return CHIRP_OK
    } catch {
        return error.code
    }
}

/// Writes ASCII characters and the zero byte that ends them.
func write(_ text: String, to characters: UnsafeMutablePointer<CChar>) {
    let bytes = text.utf8CString
    _ = unsafe UnsafeMutableBufferPointer(start: characters, count: bytes.count).initialize(fromContentsOf: bytes)
}
