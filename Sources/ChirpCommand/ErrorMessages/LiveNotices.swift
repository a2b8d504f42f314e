internal import Chirp
internal import ChirpSound
internal import Foundation

/// The device ran dry while it played.
struct PlaybackGaps: UserFacingError {
    let count: Int

    var userMessage: String {
        "the playback had \(count == 1 ? "a gap" : "\(count) gaps") because this machine was too busy: "
            + "the chirp may not be received"
    }
}

/// Sound went by unheard.
struct LostSound: UserFacingError {
    let loss: LossReporter.Loss

    var userMessage: String {
        let length =
            String(format: "%.2f s", loss.seconds) + " of sound lost"
            + (loss.count > 1 ? " in \(loss.count) places" : "")
        return switch loss.cause {
        case .device: "\(length): the capture buffer overflowed, or the machine slept"
        case .consumer: "\(length): this machine is too busy to decode in real time"
        }
    }
}

/// The capture device is not there, and is waited for.
struct AbsentDevice: UserFacingError {
    let error: SoundDeviceError

    var userMessage: String { "waiting for the device: \(error.message(isAwaited: true))" }
}

/// A link's address is not one that `listen --open` opens.
struct UnopenedAddress: UserFacingError {
    let code: Shortcode
    let url: String

    var userMessage: String {
        "\(code): cannot open \(url): listen opens http and https addresses only; chirp resolve --open \(code) opens it"
    }
}

/// Codes cannot be looked up, or not be noted; the sentence is made already.
struct LinkProblem: UserFacingError {
    let userMessage: String
}

extension LevelMonitor.Notice: UserFacingError {
    var userMessage: String {
        switch self {
        case .clipped(let share):
            "the input is clipped (\(String(format: "%.1f", share * 100)) % of the samples at full scale): "
                + "turn the microphone down, with alsamixer or the desktop's sound settings"
        case .silent(let seconds):
            "the input has been silent for \(Int(seconds)) s, without even noise: it is muted or not connected, "
                + "or you need another device (chirp devices)"
        case .quiet(let decibels):
            "the input is very quiet (\(Int(decibels.rounded())) dB of full scale): this is probably not the right microphone "
                + "(chirp devices), or it is turned down"
        }
    }
}

extension CommandRunner.Outcome: UserFacingError {
    var userMessage: String {
        let name = arguments.first == "/bin/sh" ? "the command of --exec" : arguments.first ?? ""
        return switch result {
        case .exited(let status): "\(name) ended with status \(status) for \(code)"
        case .signalled(let number): "\(name) was ended by \(SignalWatch.name(of: number)) for \(code)"
        case .notStarted(let number): "\(name) could not be started: \(String(cString: strerror(number)))"
        }
    }
}

/// Nobody reads standard output any more.
struct OutputClosed: UserFacingError {
    var userMessage: String { "standard output was closed" }
}

extension OutputFailure: UserFacingError {
    var userMessage: String { "standard output: cannot write: \(String(cString: strerror(code)))" }
}
