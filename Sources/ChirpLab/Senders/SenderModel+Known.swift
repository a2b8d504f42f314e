internal import Chirp

extension SenderModel {
    private static let format = WireFormat.original

    private static let nominalPitchesHertz = (0..<format.toneCount).map { format.pitchHertz(of: UInt8($0)) }

    /// The sender for browsers: one oscillator retuned at each symbol edge, without ramps.
    public static let browser = SenderModel(
        name: "browser", tonePitchesHertz: nominalPitchesHertz, symbolSeconds: format.symbolSeconds, phaseRunsOn: true)

    /// The Python senders: a fresh sine per symbol, hard edges, clicks and all.
    public static let freshSine = SenderModel(
        name: "fresh-sine", tonePitchesHertz: nominalPitchesHertz, symbolSeconds: format.symbolSeconds,
        phaseRunsOn: false)

    /// The same with each semitone floored to a whole hertz before the next is derived from it: the top tone is 10505 Hz.
    public static let wholeHertz: SenderModel = {
        var model = freshSine
        model.name = "whole-hertz"
        model.tonePitchesHertz = (1..<format.toneCount).reduce(into: [format.basePitchHertz]) { pitches, _ in
            pitches.append(((pitches.last ?? 0) * format.pitchRatio).rounded(.down))
        }
        return model
    }()

    /// The Android sender: symbols of 85 ms with 30 % linear ramps at both ends.
    public static let android = SenderModel(
        name: "android", tonePitchesHertz: nominalPitchesHertz, symbolSeconds: 0.085, phaseRunsOn: false,
        attackShare: 0.3, releaseShare: 0.3)

    /// The original kit for browsers: one oscillator gliding from tone to tone in 8 ms, 15 % attack and release.
    public static let glide = SenderModel(
        name: "glide", tonePitchesHertz: nominalPitchesHertz, symbolSeconds: format.symbolSeconds, phaseRunsOn: true,
        glideSeconds: 0.008, attackShare: 0.15, releaseShare: 0.15)

    /// The five kinds of program; recordings played fast or slow, or detuned, are made from these.
    public static let programs = [browser, freshSine, wholeHertz, android, glide]
}
