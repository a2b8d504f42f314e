/// A bounded queue of capture events; adding never blocks.
///
/// Sound that finds no room is replaced by one report of its length; everything else is kept until there is room, and the
/// order stays.
struct CaptureBacklog {
    private var owed: [CaptureEvent] = []

    /// Hands on what is owed and then an event, as far as there is room.
    ///
    /// - Parameters:
    ///   - samplesPerSecond: those of all channels.
    ///   - offer: takes an event, and says whether there was room for it.
    mutating func deliver(_ event: CaptureEvent, samplesPerSecond: Double, offer: (CaptureEvent) -> Bool) {
        while let first = owed.first, offer(first) { owed.removeFirst() }
        if owed.isEmpty, offer(event) { return }
        guard case .samples(let samples) = event else { return owed.append(event) }
        let seconds = Double(samples.count) / samplesPerSecond
        if case .lost(let before, .consumer) = owed.last {
            owed[owed.count - 1] = .lost(seconds: before + seconds, .consumer)
        } else {
            owed.append(.lost(seconds: seconds, .consumer))
        }
    }
}
