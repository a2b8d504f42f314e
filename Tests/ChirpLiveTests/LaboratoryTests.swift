import Foundation
import SoundServer
import Testing

/// `chirp evaluate --live` between two devices with a filter in between, as a loudspeaker and a room would be.
@Suite(.serialized, .onOwnThread) struct LaboratoryTests {
    private struct Report: Decodable {
        struct Tone: Decodable {
            let symbol: String
            let swallowed: Bool
        }
        struct Volume: Decodable {
            let played: Int
            let recovered: Int
        }
        let tones: [Tone]
        let volumes: [Volume]
        let advice: [String]
        let wrong: Int
    }

    private func report(on server: PulseServer) async throws -> Report {
        let result = try await server.chirp("evaluate", "--live", "--volumes", "0.5", "--json").result()
        #expect(result.status == .exited(0), "\(result.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    @Test func `a loop that changes nothing swallows no tone`() async throws {
        let report = try await report(on: try await PulseServer())
        #expect(report.tones.count == 32)
        #expect(report.tones.allSatisfy { !$0.swallowed })
        #expect(report.volumes.allSatisfy { $0.recovered == $0.played && $0.played > 0 }, "\(report.volumes)")
        #expect(report.wrong == 0)
        #expect(report.advice.count == 1 && report.advice[0].hasPrefix("Every code arrives"), "\(report.advice)")
    }

    @Test func `a filter in the loop that kills a tone is found out`() async throws {
        let server = try await PulseServer()
        _ = try await server.pactl("load-module", "module-null-sink", "sink_name=speaker")
        _ = try await server.pactl("set-default-sink", "speaker")
        // Twice a notch at the sixth tone, with a bandwidth of 59 Hz: the tones beside it lose 0.4 dB.
        let notch = "bandreject=f=2349.3:width_type=q:w=40"
        // Before other programs, where the system lets it: on a machine with ten others that compute it stood still for two
        // seconds. And with a buffer of less than the two seconds that the server gives unasked: then the end of the last
        // chirp comes after the recording's.
        let filter = try RunningProcess(
            "/bin/sh",
            [
                "-c", #"chrt --rr 4 true 2>/dev/null && exec chrt --rr 4 "$@"; exec "$@""#, "sh",
                "ffmpeg", "-loglevel", "error", "-nostdin", "-f", "pulse", "-fragment_size", "3840", "-i",
                "speaker.monitor", "-af", "\(notch),\(notch)", "-f", "pulse", "-device", "loop",
                "-buffer_duration", "400", "filter",
            ], environment: server.environment)
        try await server.waitForSender()
        let report = try await report(on: server)
        filter.kill(SIGKILL)
        _ = try await filter.result()
        #expect(report.tones.filter(\.swallowed).map(\.symbol) == ["5"])
        #expect(report.volumes.allSatisfy { $0.recovered == $0.played && $0.played > 0 }, "\(report.volumes)")
        #expect(report.advice.first?.hasPrefix("The tone “5” (2349.3 Hz) is lost") == true, "\(report.advice)")
    }
}
