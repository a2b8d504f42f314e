import Chirp
import ChirpLab
import Foundation
import Testing

@Suite struct DecodeTests {
    @Test func `every channel is listened to, and distinguished`() async throws {
        let folder = try TemporaryFolder()
        let codes = ["gsm2h88c7u", "kingfisher", "parrotbill"]
        let channels = try codes.map { try Sounds.chirp($0) } + [[Float](repeating: 0, count: 200_000)]
        let wave = WaveBytes(samples: .integers(Sounds.interleaved(channels)), channels: 4)
        try folder.write(wave.data, as: "four.wav")
        let run = try await ChirpProcess.run(["decode", "--json", "four.wav"], in: folder.path)
        #expect(run.status == 0)
        let found = try run.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(found.sorted { $0.channel < $1.channel }.map(\.code) == codes)
        #expect(found.map(\.channel).sorted() == [0, 1, 2])
    }

    /// At 192 kHz the channels are heard one after the other.
    @Test(arguments: [44_100, 192_000])
    func `a chirp on both channels is one line for people, and two for scripts`(rate: Int) async throws {
        let folder = try TemporaryFolder()
        let chirp = try Sounds.chirp("gsm2h88c7u", rate: rate) + Sounds.chirp("kingfisher", rate: rate)
        try folder.write(
            WaveBytes(samples: .integers(Sounds.interleaved([chirp, chirp])), rate: rate, channels: 2).data,
            as: "stereo.wav")
        let people = try await ChirpProcess.run(["decode", "stereo.wav"], in: folder.path)
        #expect(people.codes == ["gsm2h88c7u", "kingfisher"])
        #expect(people.outputLines.allSatisfy { $0.hasSuffix("stereo.wav (channel 0, 1)") })
        let scripts = try await ChirpProcess.run(["decode", "--json", "stereo.wav"], in: folder.path)
        let lines = try scripts.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.code) == ["gsm2h88c7u", "gsm2h88c7u", "kingfisher", "kingfisher"])
        #expect(lines.map(\.channel) == [0, 1, 0, 1])
    }

    /// With all formats, as by default, the channels must not be heard one after the other: they could not be added up.
    @Test(arguments: [2, 4, 8]) func `channels that hear a chirp only together are listened to at once`(count: Int)
        async throws
    {
        let folder = try TemporaryFolder()
        var random = RandomSource(seed: 4)
        let rate = 48_000
        let chirp = try Sounds.chirp("gsm2h88c7u", rate: rate)
        // Without the silence before and after it.
        let power = chirp.reduce(0) { $0 + $1 * $1 } / Float(WireFormat.original.frameSeconds * Double(rate))
        // Over the whole band −27.4 dB.
        let deviation = (power * 550 * 24_000 / 22_050).squareRoot()
        let channels = (0..<count).map { channel in
            var sound = [Float](repeating: 0, count: 6 * rate)
            for (index, sample) in chirp.enumerated() { sound[2 * rate + 100 * channel + index] = sample }
            Gaussian().add(to: &sound, deviation: deviation, using: &random)
            return sound.map { 0.1 * $0 / deviation }
        }
        let wave = WaveBytes(samples: .integers(Sounds.interleaved(channels)), rate: rate, channels: count)
        try folder.write(wave.data, as: "channels.wav")
        let run = try await ChirpProcess.run(["decode", "--json", "channels.wav"], in: folder.path)
        let lines = try run.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.code) == ["gsm2h88c7u"])
        #expect(lines.map(\.channels) == [Array(0..<count)])
    }

    /// Many channels are heard in passes over the file; the last ones are heard as well as the first.
    @Test func `a file with forty channels is listened to on all of them`() async throws {
        let folder = try TemporaryFolder()
        let silence = [Float](repeating: 0, count: 130_000)
        var channels = [[Float]](repeating: silence, count: 40)
        channels[3] = try Sounds.chirp("gsm2h88c7u") + silence
        channels[39] = Array(silence.prefix(10_000)) + (try Sounds.chirp("kingfisher")) + silence.dropFirst(10_000)
        let wave = WaveBytes(samples: .integers(Sounds.interleaved(channels)), channels: 40)
        try folder.write(wave.data, as: "forty.wav")
        let run = try await ChirpProcess.run(["decode", "forty.wav"], in: folder.path)
        #expect(run.codes == ["gsm2h88c7u", "kingfisher"])
        #expect(run.outputLines.map { String($0.suffix(13)) } == ["v (channel 3)", " (channel 39)"])
        let piped = try await ChirpProcess.shell("cat forty.wav | chirp decode -", in: folder.path)
        #expect(piped.status == 2)
        #expect(piped.errors.contains("40 channels"))
    }

    struct Line: Decodable {
        let file: String
        let channel: Int
        let start: Double
        let duration: Double
        let code: String
        let longcode: String
        let corrected: Int
        let confidence: Double
        let tuningCents: Double
        let speed: Double
        let channels: [Int]

        enum CodingKeys: String, CodingKey {
            case file, channel, start, duration, code, longcode, corrected, confidence, speed, channels
            case tuningCents = "tuning_cents"
        }
    }

    @Test func `a JSON line has its keys in the contract's order, and the facts of the chirp`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(WaveBytes(samples: .integers(try Sounds.chirp("gsm2h88c7u"))).data, as: "a \"b\".wav")
        let run = try await ChirpProcess.run(["decode", "--json", "a \"b\".wav"], in: folder.path)
        let pattern =
            #/
            \{"file":"a\ \\"b\\"\.wav","channel":0,"start":[-0-9.e]+,"duration":[0-9.]+,"code":"gsm2h88c7u",
            "longcode":"gsm2h88c7udtnef4ok","snr_db":[-0-9.]+,"corrected":0,"confidence":[0-9.]+,
            "tuning_cents":[-0-9.e]+,"speed":[0-9.]+,"format":"original","repeats":1,"channels":\[0\],"link":null\}\n
            /#
        #expect(run.output.wholeMatch(of: pattern) != nil, "\(run.output)")
        let line = try JSONDecoder().decode(Line.self, from: Data(run.output.utf8))
        // An eighth of a symbol.
        #expect(abs(line.start - 20_000.0 / 44_100) < 0.011)
        #expect(abs(line.duration - 1.744) < 0.01)
        #expect(line.confidence > 0.99 && line.confidence <= 1)
        #expect(abs(line.speed - 1) < 0.005)
        #expect(abs(line.tuningCents) < 5)
    }

    @Test func `chirps come in order of time, whatever the number of jobs, and files in the order given`() async throws
    {
        let folder = try TemporaryFolder()
        let codes = ["gsm2h88c7u", "kingfisher", "parrotbill", "ovkp99793i"]
        let long = try codes.flatMap { try Sounds.chirp($0) }
        try folder.write(WaveBytes(samples: .integers(long)).data, as: "long.wav")
        for code in codes {
            try folder.write(WaveBytes(samples: .integers(try Sounds.chirp(code))).data, as: code + ".wav")
        }
        let files = ["long.wav"] + codes.map { $0 + ".wav" } + ["missing.wav"] + codes.reversed().map { $0 + ".wav" }
        let one = try await ChirpProcess.run(["decode", "--json", "--jobs", "1"] + files, in: folder.path)
        #expect(one.status == 2)
        let lines = try one.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.code) == codes + codes + codes.reversed())
        #expect(zip(lines.prefix(4), lines.dropFirst().prefix(3)).allSatisfy { $0.start < $1.start })
        for jobs in ["2", "8"] {
            #expect(try await ChirpProcess.run(["decode", "--json", "--jobs", jobs] + files, in: folder.path) == one)
        }
    }

    @Test(arguments: ["wav", "flac", "ogg", "aiff"])
    func `standard input is decoded, be it a pipe or a file`(fileExtension: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await ChirpProcess.run(["send", "gsm2h88c7u", "-o", "x." + fileExtension], in: folder.path)
        for line in ["cat x.\(fileExtension) | chirp decode -", "chirp decode - <x.\(fileExtension)"] {
            let run = try await ChirpProcess.shell(line, in: folder.path)
            #expect(run.codes == ["gsm2h88c7u"], "\(line): \(run)")
            #expect(run.status == 0)
        }
    }

    @Test(arguments: [
        "u8", "s8", "s16le", "s16be", "s24le", "s24be", "s32le", "s32be", "f32le", "f32be", "f64le", "f64be", "ulaw",
        "alaw",
    ])
    func `samples without a header are decoded in every format`(format: String) async throws {
        let folder = try TemporaryFolder()
        let ffmpegName = format == "ulaw" ? "mulaw" : format
        let run = try await ChirpProcess.shell(
            """
            chirp send gsm2h88c7u -o - | ffmpeg -loglevel error -i - -ac 2 -f \(ffmpegName) raw \
            && chirp decode --raw \(format):44100:2 raw && chirp decode --raw \(format):44100:2 - <raw \
            && cat raw | chirp decode --raw \(format.uppercased()):44100:2 -
            """, in: folder.path)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.codes == ["gsm2h88c7u", "gsm2h88c7u", "gsm2h88c7u"])
    }

    @Test(arguments: [("telephone", 8_000), ("telephone", 44_100), ("ultrasonic", 48_000), ("fast", 22_050)])
    func `a chirp of a format that fits the rate is found without asking, and not when another is asked for`(
        format: String, rate: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            chirp send gsm2h88c7u --format \(format) --rate \(rate) -o x.wav && chirp decode --json x.wav \
            && ! chirp decode --format original x.wav
            """, in: folder.path)
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(run.output.contains(#""code":"gsm2h88c7u""#) && run.output.contains(#""format":"\#(format)""#))
    }

    /// Tones above half of the sample rate are silent there, and are erasures to the decoder.
    @Test(arguments: [11_025, 12_000, 16_000, 22_050, 37_800, 88_200, 176_400])
    func `a recording of any sample rate is decoded`(rate: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            WaveBytes(samples: .integers(try Sounds.chirp("0123456789", rate: rate)), rate: rate).data, as: "x.wav")
        let run = try await ChirpProcess.run(["decode", "x.wav"], in: folder.path)
        #expect(run.codes == ["0123456789"])
    }

    @Test func `comma-separated values have a column for each key of the JSON, two for the link, and quotation marks`()
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write(WaveBytes(samples: .integers(try Sounds.chirp("gsm2h88c7u"))).data, as: "a, \"b\".wav")
        let csv = try await ChirpProcess.run(["decode", "--csv", "a, \"b\".wav"], in: folder.path)
        let json = try await ChirpProcess.run(["decode", "--json", "a, \"b\".wav"], in: folder.path)
        let keys = json.output.matches(of: /"([a-z_]+)":/).map { String($0.1) }
        #expect(csv.status == 0 && csv.outputLines.count == 2)
        #expect(csv.outputLines.first == (keys.dropLast() + ["link_kind", "link_url"]).joined(separator: ","))
        let line = try #require(csv.outputLines.last)
        #expect(line.hasPrefix(#""a, ""b"".wav",0,"#))
        #expect(line.contains(",gsm2h88c7u,gsm2h88c7udtnef4ok,") && line.hasSuffix(",,"))
    }

    @Test func `a folder is searched with --recursive, in order of names, for sound files alone`() async throws {
        let folder = try TemporaryFolder()
        _ = try await ChirpProcess.shell(
            """
            mkdir -p top/b/c top/.hidden top/empty
            chirp send gsm2h88c7u -o top/a.wav; chirp send kingfisher -o top/b/c/x.FLAC; chirp send parrotbill -o top/z.ogg
            cp top/a.wav top/.hidden/; cp top/a.wav top/.a.wav; echo text >top/notes.txt; ln -s .. top/b/up
            """, in: folder.path)
        let run = try await ChirpProcess.run(["decode", "--recursive", "top", "top/a.wav"], in: folder.path)
        #expect(run.status == 0 && run.errors == "")
        let files = run.outputLines.compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(files == ["top/a.wav", "top/b/c/x.FLAC", "top/z.ogg", "top/a.wav"])
        // A folder beside them that cannot be read costs only itself; nothing stops root.
        if getuid() != 0 {
            let others = try await ChirpProcess.shell(
                "mkdir -m 0 top/a; chirp decode --recursive top; echo $?; rmdir top/a", in: folder.path)
            #expect(others.outputLines.count == 4 && others.outputLines.last == "2")
            #expect(others.errors == "chirp: top/a: cannot open: Permission denied\n")
        }
        let empty = try await ChirpProcess.run(["decode", "--recursive", "top/empty"], in: folder.path)
        #expect(empty == Run(status: 1, output: "", errors: "chirp: top/empty: no sound files found\n"))
    }

    @Test func `names that are not UTF-8 are opened and written, and two that look alike are distinguished`()
        async throws
    {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            mkdir "$(printf 'f\\xfe')"; cd "$(printf 'f\\xfe')"
            chirp send gsm2h88c7u -o "$(printf 'x\\xe4.wav')"; chirp send kingfisher -o "$(printf 'x\\xf6.wav')"
            chirp decode "$(printf 'x\\xf6.wav')" "$(printf 'x\\xe4.wav')"
            chirp decode --json "$(printf 'x\\xe4.wav')" | python3 -c 'import sys; sys.stdin.buffer.read().decode()'
            cd ..; chirp decode --recursive .; ls f*/* | wc -l
            chirp decode "$(printf 'missing\\xe4.wav')"
            """, in: folder.path)
        #expect(run.codes == ["kingfisher", "gsm2h88c7u", "gsm2h88c7u", "kingfisher", "2"])
        #expect(run.errors == "chirp: missing\u{FFFD}.wav: cannot open: No such file or directory\n")
    }

    @Test func `a chirp below --min-confidence is not reported, and --verbose says so`() async throws {
        let folder = try TemporaryFolder()
        var random = RandomSource(seed: 5)
        var sound = try Sounds.chirp("gsm2h88c7u")
        // -23 dB: certain, but not beyond what a floating-point number can tell from certainty.
        Gaussian().add(to: &sound, deviation: 5, using: &random)
        try folder.write(WaveBytes(samples: .floats(sound)).data, as: "x.wav")
        let strict = ["decode", "x.wav", "--min-confidence", "1"]
        #expect(try await ChirpProcess.run(strict, in: folder.path) == Run(status: 1, output: "", errors: ""))
        let verbose = try await ChirpProcess.run(strict + ["--verbose"], in: folder.path)
        #expect(verbose.status == 1 && verbose.output == "" && verbose.errorLines.count == 1)
        #expect(verbose.errors.contains("x.wav: 0:00.4"))
        #expect(verbose.errors.contains("gsm2h88c7u not reported: confidence "))
        let lenient = try await ChirpProcess.run(["decode", "x.wav", "--verbose"], in: folder.path)
        #expect(lenient.codes == ["gsm2h88c7u"] && lenient.errors == "")
    }

    /// Half an hour of noise, 159 MB, through a pipe; the peak is read when all but the last of it was taken. How much of the programs' files is
    /// mapped besides, 20 to 23 MB, depends on what the system has of them in memory.
    @Test(.withoutSanitizer, arguments: [("--format original", 11_000), ("", 16_500)])
    func `memory does not grow with the length of the sound`(options: String, most: Int) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            mkfifo pipe
            chirp decode --no-resolve \(options) --raw s16le:44100:1 pipe & decoder=$!
            {
              head -c 158760000 /dev/urandom
              process=/proc/$(pgrep -P $decoder || echo $decoder)
              grep -E 'VmHWM|RssFile' $process/status >&3
              grep -om 1 libswiftCore.so $process/maps >&3
            } 3>&1 >pipe
            wait $decoder
            """, in: folder.path)
        let all = try #require(run.output.firstMatch(of: /VmHWM:\s+([0-9]+) kB/).flatMap { Int($0.1) })
        let mapped = try #require(run.output.firstMatch(of: /RssFile:\s+([0-9]+) kB/).flatMap { Int($0.1) })
        let peak = all - mapped
        // Swift's libraries take more when they are not part of the program.
        #expect(peak < (run.output.contains("libswiftCore") ? most + 10_000 : most))
        #expect(peak > 1_000, "this is not the decoder")
    }
}
