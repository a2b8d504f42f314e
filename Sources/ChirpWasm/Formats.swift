/// The number of formats; others name each by its index.
@_expose(wasm, "chirp_format_count")
@_cdecl("chirp_format_count")
func chirpFormatCount() -> Int32 { Int32(WireFormat.all.count) }

/// Writes five numbers of a format (duration, lowest and highest rate to hear it at, the same to send it) and the pitches of
/// its 32 tones; the answer is its name.
@_expose(wasm, "chirp_format")
@_cdecl("chirp_format")
func chirpFormat(_ index: Int32, _ target: UnsafeMutablePointer<Double>) -> Int32 {
    let format = WireFormat.all[Int(index)]
    target[0] = format.frameSeconds
    target[1] = format.receptionRatesHertz.lowerBound
    target[2] = format.receptionRatesHertz.upperBound
    target[3] = format.synthesisRatesHertz.lowerBound
    target[4] = format.synthesisRatesHertz.upperBound
    for tone in 0..<format.toneCount { target[5 + tone] = format.pitchHertz(of: UInt8(tone)) }
    return succeed(format.name)
}
