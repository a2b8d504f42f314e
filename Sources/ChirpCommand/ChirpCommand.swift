internal import ArgumentParser

@main
struct ChirpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chirp", abstract: "Short codes as sound: send them, hear them, find what they stand for.")
}
