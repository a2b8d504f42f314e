/// A receiver of part of a stream.
private final class Part {
    var receiver: MultiFormatReceiver
    /// Its first sample in the stream.
    let first: Int64
    var sampleCount = 0

    init(sampleRateHertz: Double, formats: [WireFormat], first: Int64) throws(ReceptionError) {
        receiver = try MultiFormatReceiver(sampleRateHertz: sampleRateHertz, formats: formats)
        self.first = first
    }

    func process(_ samples: Span<Float>) -> [DetectedChirp] {
        sampleCount += samples.count
        return receiver.process(samples)
    }
}

/// A receiver of a stream of any length, and what it found last.
///
/// A receiver counts samples in integers of the machine's width, which has 32 bits here: 13 hours at 44.1 kHz. Well before
/// them another one begins, and after a minute that both have heard the first ends. Chirps that begin in the first half of
/// that minute are the former's, the others the latter's.
private final class ReceiverHandle {
    private static let longestPart = 1 << 30
    private static let overlapSeconds = 60.0

    private let sampleRateHertz: Double
    private let formats: [WireFormat]
    private var part: Part
    private var next: Part?
    /// The last chirps that were given back, in seconds of the stream.
    private var latest: [(start: Double, code: Shortcode)] = []
    private(set) var found: [(start: Double, chirp: DetectedChirp)] = []

    init(sampleRateHertz: Double, formats: [WireFormat]) throws(ReceptionError) {
        self.sampleRateHertz = sampleRateHertz
        self.formats = formats
        part = try Part(sampleRateHertz: sampleRateHertz, formats: formats, first: 0)
    }

    func process(_ samples: Span<Float>) {
        found = []
        if part.sampleCount >= Self.longestPart, next == nil {
            next = try? Part(
                sampleRateHertz: sampleRateHertz, formats: formats, first: part.first + Int64(part.sampleCount))
        }
        keep(part.process(samples), of: part)
        guard let next else { return }
        keep(next.process(samples), of: next)
        guard Double(next.sampleCount) >= Self.overlapSeconds * sampleRateHertz else { return }
        part = next
        self.next = nil
    }

    func finish() {
        found = []
        keep(part.receiver.finish(), of: part)
        if let next { keep(next.receiver.finish(), of: next) }
        latest = []
        next = nil
        if part.first > 0 || part.sampleCount > 0,
            let fresh = try? Part(sampleRateHertz: sampleRateHertz, formats: formats, first: 0)
        {
            part = fresh
        }
    }

    /// Where two parts overlap each has its half; one on the border, which both or neither may think theirs, is taken from
    /// whichever is the first to have it.
    private func keep(_ chirps: [DetectedChirp], of owner: Part) {
        for chirp in chirps {
            let start = Double(owner.first) / sampleRateHertz + chirp.startSeconds
            if let next {
                let border = Double(next.first) / sampleRateHertz + Self.overlapSeconds / 2
                let isOwn = owner === next ? start > border - 0.1 : start < border + 0.1
                guard isOwn, !latest.contains(where: { abs($0.start - start) < 0.2 && $0.code == chirp.shortcode })
                else { continue }
                latest = latest.suffix(7) + [(start, chirp.shortcode)]
            }
            found.append((start, chirp))
        }
    }
}

private func receiver(_ handle: UnsafeRawPointer) -> ReceiverHandle {
    Unmanaged<ReceiverHandle>.fromOpaque(handle).takeUnretainedValue()
}

/// A receiver of the formats whose bits are set, at least one, or a null pointer.
@_expose(wasm, "chirp_receiver_new")
@_cdecl("chirp_receiver_new")
func chirpReceiverNew(_ rate: Double, _ formats: Int32) -> UnsafeMutableRawPointer? {
    let chosen = WireFormat.all.indices.filter { formats >> Int32($0) & 1 == 1 }.map { WireFormat.all[$0] }
    do throws(ReceptionError) {
        return Unmanaged.passRetained(try ReceiverHandle(sampleRateHertz: rate, formats: chosen)).toOpaque()
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
    receiver.process(span)
    return Int32(receiver.found.count)
}

/// Ends the stream; gives back the number of chirps that end with it.
@_expose(wasm, "chirp_receiver_finish")
@_cdecl("chirp_receiver_finish")
func chirpReceiverFinish(_ handle: UnsafeRawPointer) -> Int32 {
    let receiver = receiver(handle)
    receiver.finish()
    return Int32(receiver.found.count)
}

/// Writes eight numbers of one of the chirps of the last call (start, duration, signal-to-noise ratio, corrected symbols,
/// confidence, tuning, speed, index of its format); the answer is its code and its longcode.
@_expose(wasm, "chirp_receiver_chirp")
@_cdecl("chirp_receiver_chirp")
func chirpReceiverChirp(_ handle: UnsafeRawPointer, _ index: Int32, _ target: UnsafeMutablePointer<Double>) -> Int32 {
    let (start, chirp) = receiver(handle).found[Int(index)]
    target[0] = start
    target[1] = chirp.durationSeconds
    target[2] = chirp.snrDecibels
    target[3] = Double(chirp.correctedSymbolCount)
    target[4] = chirp.confidence
    target[5] = chirp.tuningCents
    target[6] = chirp.speed
    target[7] = Double(WireFormat.all.firstIndex { $0.name == chirp.format.name } ?? 0)
    return succeed(chirp.codeword.codeAndLongcode)
}
