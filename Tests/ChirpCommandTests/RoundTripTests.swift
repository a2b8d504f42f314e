import Foundation
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: ["wav", "flac", "ogg", "oga", "aiff", "aif", "WAV"], [22_050, 44_100, 48_000, 96_000, 192_000])
    func `what is sent to a file of any format and rate is decoded from it`(
        fileExtension: String, rate: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let file = "x." + fileExtension
        let sent = try await ChirpProcess.run(
            ["send", "gsm2h88c7u", "-o", file, "--rate", "\(rate)"], in: folder.path)
        #expect(sent == Run(status: 0, output: "", errors: ""))
        let decoded = try await ChirpProcess.run(["decode", file], in: folder.path)
        #expect(decoded.status == 0)
        #expect(decoded.codes == ["gsm2h88c7u"])
        #expect(decoded.errors == "")
    }
}
