/// A receiver, and what it found last.
private final class ReceiverHandle {
    var receiver: Receiver
    var found: [DetectedChirp] = []

    init(sampleRateHertz: Double) throws(ReceptionError) { receiver = try Receiver(sampleRateHertz: sampleRateHertz) }
}

private func receiver(_ handle: UnsafeRawPointer) -> ReceiverHandle {
    Unmanaged<ReceiverHandle>.fromOpaque(handle).takeUnretainedValue()
}

/// A receiver, or a null pointer.
@_expose(wasm, "chirp_receiver_new")
@_cdecl("chirp_receiver_new")
func chirpReceiverNew(_ rate: Double) -> UnsafeMutableRawPointer? {
    do throws(ReceptionError) {
        return Unmanaged.passRetained(try ReceiverHandle(sampleRateHertz: rate)).toOpaque()
    } catch {
        _ = fail(error.message)
        return nil
    }
}

@_expose(wasm, "chirp_receiver_free")
@_cdecl("chirp_receiver_free")
func chirpReceiverFree(_ handle: UnsafeRawPointer) { Unmanaged<ReceiverHandle>.fromOpaque(handle).release() }

/// Takes samples; gives back the number of chirps that they completed.
@_expose(wasm, "chirp_receiver_process")
@_cdecl("chirp_receiver_process")
func chirpReceiverProcess(_ handle: UnsafeRawPointer, _ samples: UnsafePointer<Float>, _ count: Int32) -> Int32 {
    let receiver = receiver(handle)
    let span = UnsafeBufferPointer(start: samples, count: Int(count)).span
    receiver.found = receiver.receiver.process(span)
    return Int32(receiver.found.count)
}

/// Ends the stream; gives back the number of chirps that end with it.
@_expose(wasm, "chirp_receiver_finish")
@_cdecl("chirp_receiver_finish")
func chirpReceiverFinish(_ handle: UnsafeRawPointer) -> Int32 {
    let receiver = receiver(handle)
    receiver.found = receiver.receiver.finish()
    return Int32(receiver.found.count)
}

/// Writes seven numbers of one of the chirps of the last call (start, duration, signal-to-noise ratio, corrected symbols,
/// confidence, tuning, speed); the answer is its longcode.
@_expose(wasm, "chirp_receiver_chirp")
@_cdecl("chirp_receiver_chirp")
func chirpReceiverChirp(_ handle: UnsafeRawPointer, _ index: Int32, _ target: UnsafeMutablePointer<Double>) -> Int32 {
    let chirp = receiver(handle).found[Int(index)]
    target[0] = chirp.startSeconds
    target[1] = chirp.durationSeconds
    target[2] = chirp.snrDecibels
    target[3] = Double(chirp.correctedSymbolCount)
    target[4] = chirp.confidence
    target[5] = chirp.tuningCents
    target[6] = chirp.speed
    return succeed(chirp.codeword.description)
}
