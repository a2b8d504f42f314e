internal import Chirp
internal import ChirpSound

extension SightedChirp {
    /// Brings together what was heard of the same code at the same time on several channels.
    struct Merging {
        /// Two channels' starts of the same chirp are not further apart than sound takes for 30 m.
        private static let largestDelaySeconds = 0.1

        private var groups: [[HeardChirp]] = []

        /// Takes what was heard, in order of start time.
        mutating func add(_ heard: [HeardChirp]) {
            for one in heard {
                let group = groups.lastIndex { group in
                    group[0].chirp.codeword == one.chirp.codeword
                        && one.chirp.startSeconds - group[0].chirp.startSeconds < Self.largestDelaySeconds
                        && !group.contains { $0.channel == one.channel }
                }
                if let group { groups[group].append(one) } else { groups.append([one]) }
            }
        }

        /// Gives back the chirps that are complete, now that nothing that starts before a time is still to come.
        mutating func takeComplete(before seconds: Double) -> [SightedChirp] {
            let complete = groups.prefix { $0[0].chirp.startSeconds + Self.largestDelaySeconds <= seconds }
            groups.removeFirst(complete.count)
            return complete.compactMap { group in
                group.map(\.chirp).max { $0.snrDecibels < $1.snrDecibels }.map { best in
                    SightedChirp(chirp: best, channels: group.map(\.channel).sorted())
                }
            }
        }
    }
}
