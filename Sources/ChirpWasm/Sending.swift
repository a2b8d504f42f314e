private func codeword(_ text: UnsafePointer<UInt8>, _ count: Int32) throws(ShortcodeError) -> Codeword {
    let bytes = UnsafeBufferPointer(start: text, count: Int(count))
    return try Codeword(parsing: String(decoding: bytes, as: UTF8.self))
}

extension Codeword {
    /// What answers with a code say: no script has to know where one ends.
    var codeAndLongcode: String { "\(shortcode) \(self)" }
}

/// Reads a code, a longcode, a frame or a link that ends in one; the answer is its code and, after a space, its longcode.
@_expose(wasm, "chirp_parse")
@_cdecl("chirp_parse")
func chirpParse(_ text: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
    do throws(ShortcodeError) {
        return succeed(try codeword(text, count).codeAndLongcode)
    } catch {
        return fail(error.message)
    }
}

/// The number of samples of a chirp in one of the formats, or 0 where there is none at this rate.
@_expose(wasm, "chirp_samples_count")
@_cdecl("chirp_samples_count")
func chirpSamplesCount(_ rate: Double, _ format: Int32) -> Int32 {
    do throws(SynthesisError) {
        let synthesiser = try Synthesiser(sampleRateHertz: rate, format: WireFormat.all[Int(format)])
        return Int32(synthesiser.symbolEdge(synthesiser.format.frameSymbolCount))
    } catch {
        return fail(error.message)
    }
}

/// Writes the chirp of a code, ``chirpSamplesCount(_:_:)`` samples.
@_expose(wasm, "chirp_synthesise")
@_cdecl("chirp_synthesise")
func chirpSynthesise(
    _ text: UnsafePointer<UInt8>, _ count: Int32, _ rate: Double, _ volume: Float, _ format: Int32,
    _ target: UnsafeMutablePointer<Float>
) -> Int32 {
    do throws(ShortcodeError) {
        let codeword = try codeword(text, count)
        do throws(SynthesisError) {
            let synthesiser = try Synthesiser(sampleRateHertz: rate, format: WireFormat.all[Int(format)])
            let samples = synthesiser.samples(of: codeword, volume: volume)
            for (index, sample) in samples.enumerated() { target[index] = sample }
            return 1
        } catch {
            return fail(error.message)
        }
    } catch {
        return fail(error.message)
    }
}
