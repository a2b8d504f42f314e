internal import Chirp
internal import ChirpSound

/// Merges the detections of the same chirp on several channels.
struct ChannelMerger {
    /// The starts of one chirp on two channels differ by at most this: sound travels 30 m in it.
    private static let largestDelaySeconds = 0.1

    private var groups: [[ChannelDetection]] = []

    /// Adds detections, in order of their start time but for sums of copies, which begin earlier.
    mutating func add(_ detections: [ChannelDetection]) {
        for one in detections {
            let group = groups.lastIndex { group in
                group[0].chirp.codeword == one.chirp.codeword && group[0].chirp.format == one.chirp.format
                    && abs(one.chirp.startSeconds - group[0].chirp.startSeconds) < Self.largestDelaySeconds
                    && !group.contains { !Set($0.channels).isDisjoint(with: one.channels) }
            }
            if let group { groups[group].append(one) } else { groups.append([one]) }
        }
    }

    /// Removes and returns the chirps that are complete: no detection that starts before `seconds` is still to come.
    mutating func takeComplete(before seconds: Double) -> [MergedDetection] {
        let complete = groups.prefix { $0[0].chirp.startSeconds + Self.largestDelaySeconds <= seconds }
        groups.removeFirst(complete.count)
        return complete.compactMap { group in
            group.map(\.chirp).max { $0.snrDecibels < $1.snrDecibels }.map { best in
                MergedDetection(chirp: best, channels: Set(group.flatMap(\.channels)).sorted())
            }
        }
    }
}
