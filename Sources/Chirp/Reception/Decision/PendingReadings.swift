/// Readings that wait until nothing can replace them any more: of those that share sound, the best one.
///
/// Times are in samples since time zero; the horizon is the sample after the last one that was received.
struct PendingReadings: Sendable {
    /// Samples of a symbol at the nominal tempo.
    let symbolSamples: Double
    /// Whether other channels hear the same, and what they say together is awaited.
    var awaitsOtherChannels = false
    var readings: [DecodedFrame] = []

    /// How long a frame is awaited beyond its end, in symbols, as without its last tone it would be told to be faster than it is.
    /// All waits are a little less than whole quarters, lest frames found at the same part of a block be due or not by rounding.
    private static let wait = 0.24
    /// How long one that may be another word a symbol or two later is: half of that one's last tone helps to tell. In a room no reading of a word
    /// is awaited for longer after the earliest end of all of them: the best one may be of late echoes.
    private static let ambiguousWait = wait + 0.25
    /// How long it is where the beginning was not recorded, so that nothing but that tone tells.
    private static let ambiguousWaitWithoutBeginning = wait + 0.5
    /// How long one of which a single channel is not certain waits for what all of them say together.
    private static let waitForOtherChannels = 0.9
    /// How long at most beyond the earliest end of all readings of the word where there is no room, more than what is awaited: the earliest reading
    /// may be half a symbol early, and the whole chirp is to be taken out.
    private static let earliestReading = 0.5
    /// Spread of the levels of a chirp's tones from which on echoes, or noise, are in them.
    private static let minimumEchoSpread: Float = 0.2

    /// Takes a reading in the place of all others that share more than a symbol with it, if it is better than each of them.
    mutating func insert(_ reading: DecodedFrame, horizon: Int) {
        let rivals = readings.indices.filter { readings[$0].overlaps(reading, by: symbolSamples) }
        var reading = reading
        for index in rivals where readings[index].codeword == reading.codeword {
            reading.earliestEnd = min(reading.earliestEnd, readings[index].earliestEnd)
            readings[index].earliestEnd = reading.earliestEnd
        }
        guard rivals.allSatisfy({ isPreferred(reading, to: readings[$0], horizon: horizon) }) else { return }
        for index in rivals.reversed() { readings.remove(at: index) }
        readings.append(reading)
    }

    /// Whether a reading is the better one of the sound that it shares with another one.
    private func isPreferred(_ reading: DecodedFrame, to other: DecodedFrame, horizon: Int) -> Bool {
        guard reading.isSure == other.isSure else { return reading.isSure }
        // Nothing is left to wait for.
        if reading.codeword == other.codeword, reading.isSure, isFullyReceived(reading, horizon: horizon),
            !isFullyReceived(other, horizon: horizon)
        {
            return true
        }
        return reading.rankingScore > other.rankingScore
    }

    /// Whether all that is awaited of a reading has been received.
    private func isFullyReceived(_ reading: DecodedFrame, horizon: Int) -> Bool {
        let ambiguousWait =
            reading.timing.startSample < 0 ? Self.ambiguousWaitWithoutBeginning : Self.ambiguousWait
        let wait = reading.codeword.hasLaterReading ? ambiguousWait : Self.wait
        let isEven = reading.features.toneLevelSpread.map { $0 < Self.minimumEchoSpread } ?? false
        let longestWait = isEven ? Self.earliestReading + min(wait, Self.ambiguousWait) : Self.ambiguousWait
        var due = min(reading.endSample + wait * symbolSamples, reading.earliestEnd + longestWait * symbolSamples)
        if awaitsOtherChannels, reading.logOdds < DecodedFrame.certainLogOdds {
            due = max(due, reading.endSample + Self.waitForOtherChannels * symbolSamples)
        }
        return due <= Double(horizon)
    }

    /// Whether nothing is awaited of a reading, and it is certain or has been compared with chirps that may begin later.
    func isReady(_ reading: DecodedFrame, horizon: Int) -> Bool {
        isFullyReceived(reading, horizon: horizon)
            && (reading.logOdds > DecodedFrame.certainLogOdds || reading.marginOverLater != nil)
    }

    /// Takes out the first reading that is ready.
    mutating func takeReady(horizon: Int) -> DecodedFrame? {
        readings.firstIndex { isReady($0, horizon: horizon) }.map { readings.remove(at: $0) }
    }

    /// The first reading of which nothing is awaited but the comparison with chirps that may begin later.
    func firstToCompare(horizon: Int) -> Int? {
        readings.firstIndex {
            $0.marginOverLater == nil && $0.logOdds <= DecodedFrame.certainLogOdds
                && isFullyReceived($0, horizon: horizon)
        }
    }
}
