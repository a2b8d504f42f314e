public import CChirp
internal import Chirp

/// A receiver and what it has found that was not yet taken.
///
/// C has a retained reference to it, which it gives back to be released.
private final class ReceiverObject {
    /// A channel is a bit of a number.
    static let channelCounts = 1...64

    var receiver: MultiChannelReceiver
    /// The next one to be taken is the last.
    var found: [ChannelDetection] = []
    /// What was taken last.
    var taken: ChannelDetection?

    init(_ receiver: consuming MultiChannelReceiver) { self.receiver = receiver }

    func add(_ chirps: [ChannelDetection]) {
        if !chirps.isEmpty { found.insert(contentsOf: chirps.reversed(), at: 0) }
    }

    static func at(_ pointer: OpaquePointer) -> ReceiverObject {
        unsafe Unmanaged<ReceiverObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

@_cdecl("chirp_receiver_new")
public func receiverNew(_ rate: Double, _ error: UnsafeMutablePointer<chirp_error>?) -> OpaquePointer? {
    unsafe newReceiver(rate, 1, [.original], combine: false, error)
}

@_cdecl("chirp_receiver_new_formats")
public func receiverNewFormats(
    _ rate: Double, _ formats: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<chirp_error>?
) -> OpaquePointer? {
    unsafe receiverNewChannels(rate, 1, formats, false, error)
}

@_cdecl("chirp_receiver_new_channels")
public func receiverNewChannels(
    _ rate: Double, _ channels: Int, _ formats: UnsafePointer<CChar>?, _ combine: Bool,
    _ error: UnsafeMutablePointer<chirp_error>?
) -> OpaquePointer? {
    guard let formats = unsafe formats else {
        unsafe error?.pointee = CHIRP_ERROR_ARGUMENT
        return nil
    }
    guard let known = try? WireFormat.formats(named: unsafe String(cString: formats)) else {
        unsafe error?.pointee = CHIRP_ERROR_FORMAT
        return nil
    }
    return unsafe newReceiver(rate, channels, known, combine: combine, error)
}

private func newReceiver(
    _ rate: Double, _ channels: Int, _ formats: [WireFormat], combine: Bool,
    _ error: UnsafeMutablePointer<chirp_error>?
) -> OpaquePointer? {
    guard ReceiverObject.channelCounts.contains(channels) else {
        unsafe error?.pointee = CHIRP_ERROR_CHANNELS
        return nil
    }
    // The receiver of channels passes over formats that are not received at the rate.
    guard formats.allSatisfy({ $0.receptionRatesHertz.contains(rate) }),
        let receiver = try? MultiChannelReceiver(
            sampleRateHertz: rate, channelCount: channels, formats: formats, combines: combine)
    else {
        unsafe error?.pointee = CHIRP_ERROR_RECEIVER_RATE
        return nil
    }
    unsafe error?.pointee = CHIRP_OK
    return unsafe OpaquePointer(Unmanaged.passRetained(ReceiverObject(receiver)).toOpaque())
}

@_cdecl("chirp_receiver_process")
public func receiverProcess(_ receiver: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ count: Int) -> chirp_error {
    guard let pointer = unsafe receiver else { return CHIRP_ERROR_ARGUMENT }
    guard unsafe ReceiverObject.at(pointer).receiver.channelCount == 1 else { return CHIRP_ERROR_CHANNELS }
    return unsafe receiverProcessChannels(pointer, samples, 0, count)
}

@_cdecl("chirp_receiver_process_channels")
public func receiverProcessChannels(
    _ receiver: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ stride: Int, _ count: Int
) -> chirp_error {
    // What C has beyond Int's range are negative numbers here.
    guard let receiver = unsafe receiver, count >= 0, stride >= 0 else { return CHIRP_ERROR_ARGUMENT }
    guard count > 0 else { return CHIRP_OK }
    guard let samples = unsafe samples else { return CHIRP_ERROR_ARGUMENT }
    let object = unsafe ReceiverObject.at(receiver)
    let (before, overflow) = stride.multipliedReportingOverflow(by: object.receiver.channelCount - 1)
    let (length, overflowAgain) = before.addingReportingOverflow(count)
    guard !overflow, !overflowAgain else { return CHIRP_ERROR_ARGUMENT }
    let block = unsafe UnsafeBufferPointer(start: samples, count: length)
    object.add(unsafe object.receiver.process(block.span, stride: stride, count: count))
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
    guard let receiver = unsafe receiver, let detection = unsafe detection else { return false }
    let object = unsafe ReceiverObject.at(receiver)
    guard let heard = object.found.popLast() else { return false }
    object.taken = heard
    unsafe detection.pointee = chirp_detection(heard.chirp)
    return true
}

@_cdecl("chirp_receiver_channels")
public func receiverChannels(
    _ receiver: OpaquePointer?, _ channel: UnsafeMutablePointer<CInt>?,
    _ channels: UnsafeMutablePointer<UInt64>?
) -> chirp_error {
    guard let receiver = unsafe receiver, let taken = unsafe ReceiverObject.at(receiver).taken else {
        return CHIRP_ERROR_ARGUMENT
    }
    unsafe channel?.pointee = CInt(taken.channel)
    unsafe channels?.pointee = taken.channels.reduce(0) { $0 | 1 << UInt64($1) }
    return CHIRP_OK
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
        repeats = CInt(chirp.repeats)
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
