import ChirpSound
import Foundation
import Testing

@Suite struct SamplesTests {
    static let files =
        ((try? FileManager.default.contentsOfDirectory(atPath: ChirpProcess.packageFolder + "/Samples")) ?? [])
        .sorted()

    /// The code that a sample's name promises: what follows the last hyphen.
    private func promise(_ file: String) -> String? {
        file.split(separator: "-").last?.split(separator: ".").first.map(String.init)
    }

    @Test func `every sample holds the code that its name promises, and no other`() async throws {
        #expect(Self.files.count == 11)
        let run = try await ChirpProcess.shell("chirp decode Samples/*", in: ChirpProcess.packageFolder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.codes == Self.files.compactMap(promise))
    }

    @Test func `the samples can be made again`() async throws {
        let folder = try TemporaryFolder()
        let pitches = ChirpProcess.packageFolder + "/Tests/ChirpTests/Vectors/measured-pitches.json"
        let run = try await ChirpProcess.run(["make-samples", folder.path, "--pitches", pitches])
        #expect(run == Run(status: 0, output: "", errors: ""))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == Self.files)
        for file in Self.files {
            let (old, new) = (
                try samples(ChirpProcess.packageFolder + "/Samples/" + file), try samples(folder.path(file))
            )
            #expect(old.count == new.count)
            // The same but for the last bit, which is the mathematical library's affair.
            #expect(zip(old, new).allSatisfy { abs($0 - $1) <= 1 / 32_768 })
        }
    }

    private func samples(_ path: String) throws -> [Float] {
        let reader = try AudioFileReader(path: path)
        var block = AudioBlock(channelCount: reader.channelCount)
        var samples: [Float] = []
        while try reader.read(into: &block) { samples += block[0] }
        return samples
    }
}
