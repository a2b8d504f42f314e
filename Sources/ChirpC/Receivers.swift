public import CChirp
internal import Chirp

/// A receiver and what it has found that was not yet taken.
///
/// C has a retained reference to it, which it gives back to be released.
private final class ReceiverObject {
    var receiver: MultiFormatReceiver
    /// The next one to be taken is the last.
    var found: [DetectedChirp] = []

    init(_ receiver: consuming MultiFormatReceiver) { self.receiver = receiver }

    func add(_ chirps: [DetectedChirp]) {
        if !chirps.isEmpty { found.insert(contentsOf: chirps.reversed(), at: 0) }
    }

    static func at(_ pointer: OpaquePointer) -> ReceiverObject {
        unsafe Unmanaged<ReceiverObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

@_cdecl("chirp_receiver_new")
public func receiverNew(_ rate: Double, _ error: UnsafeMutablePointer<chirp_error>?) -> OpaquePointer? {
    unsafe newReceiver(rate, [.original], error)
}

@_cdecl("chirp_receiver_new_formats")
public func receiverNewFormats(
    _ rate: Double, _ formats: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<chirp_error>?
) -> OpaquePointer? {
    guard let formats = unsafe formats else {
        unsafe error?.pointee = CHIRP_ERROR_ARGUMENT
        return nil
    }
    guard let known = try? WireFormat.formats(named: unsafe String(cString: formats)) else {
        unsafe error?.pointee = CHIRP_ERROR_FORMAT
        return nil
    }
    return unsafe newReceiver(rate, known, error)
}

private func newReceiver(
    _ rate: Double, _ formats: [WireFormat], _ error: UnsafeMutablePointer<chirp_error>?
) -> OpaquePointer? {
    guard let receiver = try? MultiFormatReceiver(sampleRateHertz: rate, formats: formats) else {
        unsafe error?.pointee = CHIRP_ERROR_RECEIVER_RATE
        return nil
    }
    unsafe error?.pointee = CHIRP_OK
    return unsafe OpaquePointer(Unmanaged.passRetained(ReceiverObject(receiver)).toOpaque())
}

@_cdecl("chirp_receiver_process")
public func receiverProcess(_ receiver: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ count: Int) -> chirp_error {
    guard let receiver = unsafe receiver else { return CHIRP_ERROR_ARGUMENT }
    guard count > 0 else { return CHIRP_OK }
    guard let samples = unsafe samples else { return CHIRP_ERROR_ARGUMENT }
    let object = unsafe ReceiverObject.at(receiver)
    let block = unsafe UnsafeBufferPointer(start: samples, count: count)
    object.add(unsafe object.receiver.process(block.span))
    return CHIRP_OK
}

@_cdecl("chirp_receiver_finish")
public func receiverFinish(_ receiver: OpaquePointer?) -> chirp_error {
    guard let receiver = unsafe receiver else { return CHIRP_ERROR_ARGUMENT }
    let object = unsafe ReceiverObject.at(receiver)
    object.add(object.receiver.finish())
    return CHIRP_OK
}

@_cdecl("chirp_receiver_next")
public func receiverNext(_ receiver: OpaquePointer?, _ detection: UnsafeMutablePointer<chirp_detection>?) -> Bool {
    guard let receiver = unsafe receiver, let detection = unsafe detection,
        let chirp = unsafe ReceiverObject.at(receiver).found.popLast()
    else { return false }
    unsafe detection.pointee = chirp_detection(chirp)
    return true
}

@_cdecl("chirp_receiver_free")
public func receiverFree(_ receiver: OpaquePointer?) {
    guard let receiver = unsafe receiver else { return }
    unsafe Unmanaged<ReceiverObject>.fromOpaque(UnsafeRawPointer(receiver)).release()
}

extension chirp_detection {
    fileprivate init(_ chirp: DetectedChirp) {
        self.init()
        start = chirp.startSeconds
        duration = chirp.durationSeconds
        snr_db = chirp.snrDecibels
        confidence = chirp.confidence
        tuning_cents = chirp.tuningCents
        speed = chirp.speed
        corrected = CInt(chirp.correctedSymbolCount)
        repeats = 1
        Self.set(&code, to: chirp.shortcode.description)
        Self.set(&longcode, to: chirp.codeword.description)
        Self.set(&format, to: chirp.format.name)
    }

    /// Writes a text into an array of characters.
    private static func set<Characters>(_ characters: inout Characters, to text: String) {
        unsafe withUnsafeMutableBytes(of: &characters) { bytes in
            precondition(text.utf8.count < bytes.count, "the text does not fit")
            unsafe bytes.copyBytes(from: text.utf8)
        }
    }
}
