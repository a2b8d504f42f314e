/// The device ran dry while it played.
struct PlaybackGaps: ExplainedError {
    let count: Int

    var sentence: String {
        "the sound had \(count == 1 ? "a gap" : "\(count) gaps"), as this machine was too busy to keep up: "
            + "the chirp may not be heard"
    }
}
