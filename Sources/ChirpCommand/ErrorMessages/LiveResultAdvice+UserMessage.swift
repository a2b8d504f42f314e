internal import Chirp
internal import ChirpLab
internal import Foundation

extension LiveResult.Advice {
    /// What to do, for a person.
    var userMessage: String {
        switch self {
        case .captureIsSilent:
            "Only silence was captured: the microphone is muted or not connected, or you need another one "
                + "(chirp devices, --microphone)."
        case .nothingHeard:
            "No chirp was heard at any volume: turn the loudspeaker up, bring the microphone closer, or choose "
                + "other devices (chirp devices, --device, --microphone)."
        case .needsVolume(let volume):
            "Every code arrives from volume \(volume) on: send with at least this volume (chirp send --volume)."
        case .comeCloser(let ratio):
            "Codes are lost even at the loudest, where the chirp is \(Self.text(ratio)) dB below the noise: bring the "
                + "devices closer together, away from noise, or turn the loudspeaker up."
        case .soundIsProcessed(let ratio):
            "Codes are lost although the chirp is \(Self.text(ratio)) dB above the noise: something changes the sound. Turn "
                + "off the microphone's noise suppression and echo cancelling, or move to a place with less echo."
        case .machineIsTooBusy(let count):
            "Codes are lost, and the sound that was played had \(count == 1 ? "a gap" : "\(count) gaps"): this machine was "
                + "too busy. Try again when it is idle."
        case .inputIsClipped(let volume, let share):
            "The input is at full scale for \(String(format: "%.1f", share * 100)) % of the samples at volume "
                + "\(volume): turn the microphone down (alsamixer, or the desktop's sound settings)."
        case .tonesAreSwallowed(let symbols):
            Self.swallowed(symbols)
        case .allIsWell(let ratio):
            "Every code arrives at every volume; at the quietest the chirp is \(Self.text(ratio)) dB "
                + "\(ratio < 0 ? "below" : "above") the noise."
        }
    }

    private static func text(_ ratio: Double) -> String { String(format: "%.0f", abs(ratio)) }

    private static func swallowed(_ symbols: [UInt8]) -> String {
        let format = WireFormat.original
        let names = symbols.map { symbol in
            "“\(format.text(of: [symbol]))” (\(String(format: "%.1f", format.pitchHertz(of: symbol))) Hz)"
        }.joined(separator: ", ")
        let those = symbols.count == 1 ? "The tone \(names) is" : "The tones \(names) are"
        return those + " lost on the way: move the microphone or the loudspeaker by 10 cm. If nothing changes, the "
            + "loudspeaker is the cause and not the room: use another one. A code survives eight lost symbols."
    }
}
