import ChirpLab
import Foundation
import Testing

/// `chirp evaluate` and `chirp plot` as programs.
@Suite struct EvaluateTests {
    private func evaluate(_ arguments: String..., in folder: String? = nil) async throws -> Run {
        try await ChirpProcess.run(["evaluate"] + arguments, in: folder)
    }

    @Test func `a sweep prints a row for each ratio, its seed first`() async throws {
        let run = try await evaluate("--snr", "-10,-40", "--trials", "10", "--seed", "7")
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.outputLines.first == "seed 7, 10 chirps a row")
        let rows = run.outputLines.filter { $0.hasPrefix("white") }.map {
            $0.split(separator: " ").prefix(4).map(String.init)
        }
        #expect(
            rows == [["white-10", "10/10", "1.000", "0.722–1.000"], ["white-40", "0/10", "0.000", "0.000–0.278"]])
        #expect(run.outputLines.dropLast().last == "wrong codes: 0 of 10 reported")
        #expect(run.outputLines.last?.hasPrefix("later than 100 ms after the last tone: 0 of 10, ") == true)
    }

    @Test func `the same seed gives the same results with any number of jobs`() async throws {
        let one = try await evaluate("--snr", "-26", "--trials", "30", "--jobs", "1", "--csv")
        let two = try await evaluate("--snr", "-26", "--trials", "30", "--jobs", "2", "--csv")
        // The last column is time.
        func counts(_ run: Run) -> [String] {
            run.outputLines.map { $0.split(separator: ",").dropLast().joined(separator: ",") }
        }
        #expect(counts(one).count == 2)
        #expect(counts(one) == counts(two))
    }

    @Test func `options of a channel combine`() async throws {
        let run = try await evaluate(
            "--snr", "20", "--trials", "8", "--rt60", "0.3", "--distance", "1", "--low-pass", "9000", "--speed", "1",
            "--bits", "12", "--clip", "0.5", "--silenced", "1", "--csv")
        #expect(run.status == 0)
        let columns = (run.outputLines.last ?? "").split(separator: ",").map(String.init)
        #expect(columns.first == "speed1.0%+silenced1+room0.3s1m+lowpass9000.0+clip0.5+bits12+white20")
        #expect(columns.dropFirst(3).first == "8")
        #expect((6...8).contains(Int(columns.dropFirst(2).first ?? "") ?? 0))
    }

    @Test(arguments: [
        ["--noise", "x.wav"], ["--rt60", "0.5", "--distance", "2"], ["--impulse-response", "x.wav"],
        ["--sender", "android"], ["--speed", "1"], ["--pitch", "-5"], ["--low-pass", "8000"], ["--telephone"],
        ["--clip", "0.5"], ["--level", "0"], ["--bits", "16"], ["--offset", "0"], ["--hum", "0"], ["--whistle", "0"],
        ["--silenced", "1"], ["--wrong", "1"], ["--cut", "1"], ["--overlap", "0"], ["--repeats", "2"],
        ["--channels", "2"], ["--codec", "opus-24k"], ["--rate", "16000"],
    ])
    func `every option of a channel asks for one, which no named row has`(options: [String]) async throws {
        let run = try await ChirpProcess.run(["evaluate", "--list-rows", "--rows", "white-23"] + options)
        #expect(run.status == 64)
        #expect(run.errors.contains("cannot be combined with --snr or channel options"), "\(run.errors)")
    }

    @Test(arguments: [[], ["--speed", "0"], ["--sender", "own"], ["--repeats", "1"], ["--overlap-level", "3"]])
    func `an option with its default, and the level of a second chirp that is not sent, ask for none`(
        options: [String]
    ) async throws {
        let run = try await ChirpProcess.run(["evaluate", "--list-rows", "--rows", "white-23"] + options)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func `a run compared with itself shows no more than chance, and one much worse is seen`() async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            chirp evaluate --rows white-23 --trials 40 --json >base.json
            chirp evaluate --rows white-23 --trials 40 --compare base.json
            sed -i 's/"recoveredByTrial":\\[[01,]*\\]/"recoveredByTrial":[]/; s/"successes":[0-9]*/"successes":5/g' base.json
            chirp evaluate --rows white-23 --trials 40 --compare base.json
            """, in: folder.path)
        #expect(run.status == 0)
        let verdicts = run.outputLines.filter { $0.hasPrefix("white-23:") }
        try #require(verdicts.count == 2)
        #expect(verdicts[0].hasSuffix("now: no more than chance (p = 1.0000, sign test, same sound)"))
        #expect(verdicts[1].contains("5/40 (0.125) before, "))
        #expect(verdicts[1].hasSuffix("now: better (p = 0.0000, Fisher's exact test)"))
    }

    @Test func `sound without a chirp is counted for codes, recordings among it`() async throws {
        let folder = try TemporaryFolder()
        var random = RandomSource(seed: 2)
        var hiss = [Float](repeating: 0, count: 132_300)
        Gaussian().add(to: &hiss, deviation: 0.1, using: &random)
        try folder.write(WaveBytes(samples: .integers(hiss)).data, as: "hiss.wav")
        let run = try await evaluate("--false-alarms", "0.1", "--noise", "hiss.wav", "--json", in: folder.path)
        #expect(run.status == 0)
        #expect(run.outputLines.count == 5)
        #expect(run.outputLines.allSatisfy { $0.contains(#""codes":0"#) })
    }

    @Test(arguments: ["svg", "png"])
    func `recovery is drawn beside the bounds`(format: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await evaluate(
            "--snr", "-27,-22", "--trials", "5", "--bounds-frames", "20", "--plot", "x.\(format)", in: folder.path)
        #expect(run.status == 0)
        let picture = try folder.read("x.\(format)")
        #expect(picture.starts(with: format == "png" ? [0x89, 0x50, 0x4E, 0x47] : Array("<?xml".utf8)))
        guard format == "svg" else { return }
        let text = String(decoding: picture, as: UTF8.self)
        for name in ["this receiver, arrival time unknown", "hard decisions, 4 errors", "maximum-likelihood bound"] {
            #expect(text.contains(name))
        }
    }

    @Test(arguments: [("svg", "original"), ("png", "telephone"), ("svg", "ultrasonic"), ("svg", "fast")])
    func `a sound is drawn with the code in it, on the tones of its format`(
        format: String, tones: String
    ) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            "chirp send gsm2h88c7u --format \(tones) -o x.wav && chirp plot x.wav -o x.\(format)", in: folder.path)
        let line = "chirp: wrote x.\(format): spectrogram of x.wav, with gsm2h88c7u\n"
        #expect(run == Run(status: 0, output: "", errors: line))
        let picture = try folder.read("x.\(format)")
        #expect(picture.count > 10_000)
        if format == "svg" { #expect(String(decoding: picture, as: UTF8.self).contains("gsm2h88c7u")) }
        let other = try await ChirpProcess.run(
            ["plot", "x.wav", "-o", "y.\(format)", "--format", tones == "original" ? "fast" : "original"],
            in: folder.path)
        #expect(other.errors == "chirp: wrote y.\(format): spectrogram of x.wav, with no chirp\n")
    }

    /// As many as are listened to in two passes.
    @Test func `a chirp on the last of many channels is in the picture`() async throws {
        let folder = try TemporaryFolder()
        let chirp = try Sounds.chirp("gsm2h88c7u")
        let silence = [Float](repeating: 0, count: chirp.count)
        let channels = [[Float]](repeating: silence, count: 31) + [chirp]
        let wave = WaveBytes(samples: .integers(Sounds.interleaved(channels)), channels: channels.count)
        try folder.write(wave.data, as: "x.wav")
        let run = try await ChirpProcess.run(["plot", "x.wav", "-o", "x.png"], in: folder.path)
        #expect(run.errors == "chirp: wrote x.png: spectrogram of x.wav, with gsm2h88c7u\n")
        let piped = try await ChirpProcess.shell("cat x.wav | chirp plot - -o y.png", in: folder.path)
        #expect(piped.status == 2 && piped.errors.contains("32 channels"), "\(piped)")
    }

    @Test(arguments: [
        (["plot", "x.wav", "-o", "none/x.png"], "none/x.png: No such file or directory"),
        (["plot", "x.wav", "-o", "x.svg"], "x.svg: is a folder"),
        (["evaluate", "--plot", "none/x.png", "--trials", "1"], "none/x.png: No such file or directory"),
    ]) func `where no picture can be written is said before any work`(arguments: [String], line: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("x.svg"), withIntermediateDirectories: false)
        let run = try await ChirpProcess.run(arguments, in: folder.path)
        #expect(run == Run(status: 2, output: "", errors: "chirp: \(line)\n"))
    }

    @Test func `a file's name is a title, whatever is in it, and no command`() async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.shell(
            """
            chirp send gsm2h88c7u -o x.wav; mv x.wav "$(printf "it'\\314\\201s\\nsystem('touch there')\\n#.wav")"
            chirp plot *.wav -o x.svg; ls
            """, in: folder.path)
        #expect(run.status == 0 && run.output.contains("x.svg") && !run.output.contains("there\n"), "\(run)")
    }
}

@Suite struct EvaluateBadInputTests {
    @Test(arguments: [
        (["--noise", "missing.wav"], "chirp: missing.wav: cannot open: No such file or directory"),
        (["--noise", "letter.txt"], "chirp: letter.txt: is not a readable sound file: Format not recognised"),
        (["--noise", "silent.wav"], "chirp: silent.wav: is silent, so it cannot be used as noise; name another file"),
        (
            ["--impulse-response", "letter.txt"],
            "chirp: letter.txt: is not a readable sound file: Format not recognised"
        ),
        (["--compare", "missing.json"], "chirp: missing.json: No such file or directory"),
        (
            ["--compare", "letter.txt"],
            "chirp: letter.txt: is not a result of chirp evaluate --json; write one with it"
        ),
        (
            ["--rows", "music", "--recordings", "."],
            "chirp: ./music: is not a folder of recordings; Tools/fetch-noise.sh creates one"
        ),
        (
            ["--rows", "music"],
            "chirp: the rows music need recordings: give a folder with --recordings (Tools/fetch-noise.sh creates one)"
        ),
    ])
    func `what cannot be used is reported in one line before any work`(arguments: [String], line: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("This is a letter and no sound.\n".utf8), as: "letter.txt")
        try folder.write(WaveBytes(samples: .integers([0, 0, 0])).data, as: "silent.wav")
        let run = try await ChirpProcess.run(["evaluate", "--trials", "1"] + arguments, in: folder.path)
        #expect(run == Run(status: 2, output: "", errors: line + "\n"))
    }

    @Test(arguments: [
        (["--repeats", "17"], "Error: --repeats takes copies from 1 to 16."),
        (["--channels", "0"], "Error: --channels takes channels from 1 to 8."),
        (
            ["--repeats", "2", "--cut", "3"],
            "Error: --repeats sends whole chirps one after the other, without --cut and --overlap."
        ),
        (["--rt60", "0", "--distance", "3"], "Error: --rt60 takes seconds from 0.05 to 5."),
        (
            ["--rt60", "1", "--distance", "9"],
            "Error: the simulated room of 6.2 × 5.1 × 2.9 m has no space for 9 m; choose a smaller --distance"
        ),
        (["--plot", "x.gif"], "Error: x.gif: unknown extension; use one of .svg, .png"),
        (["--rt60", "1"], "Error: --rt60 and --distance go together."),
        (
            ["--snr", "loud"],
            "Error: The value 'loud' is invalid for '--snr <list>': It is neither numbers with commas between them nor first:last:step."
        ),
        (
            ["--snr", "nan"],
            "Error: The value 'nan' is invalid for '--snr <list>': Ratios are from -100 to 200 dB, at most 1000 of them."
        ),
        (
            ["--snr", "-20:-30:1"],
            "Error: The value '-20:-30:1' is invalid for '--snr <list>': The first ratio is the lowest, and the step is above 0."
        ),
        (
            ["--snr", "-30:0:0.01"],
            "Error: The value '-30:0:0.01' is invalid for '--snr <list>': A sweep has at most 1000 ratios."
        ),
        (["--trials", "0"], "Error: --trials takes a number from 1 to 10000000."),
        (["--trials", "-3"], "Error: --trials takes a number from 1 to 10000000."),
        (["--rows", "nonsense"], "Error: There is no row “nonsense”: chirp evaluate --list-rows names them."),
        (
            ["--live", "--snr", "-20"],
            "Error: --live uses real devices: of the other options it accepts only --trials, --seed and --json."
        ),
        (["--live", "--volumes", "2"], "Error: The value '2' is invalid for '--volumes <list>'"),
    ])
    func `wrong usage is reported in its first line`(arguments: [String], line: String) async throws {
        let run = try await ChirpProcess.run(["evaluate"] + arguments)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.errorLines.first == line)
    }

    @Test(arguments: [["evaluate", "--plot", "x.svg"], ["plot", "x.wav", "-o", "x.png"]])
    func `a missing gnuplot is named with its package`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let run = try await ChirpProcess.run(arguments, in: folder.path, environment: ["PATH": folder.path])
        let line = "chirp: gnuplot, which draws the pictures, is not installed: apt-get install gnuplot-nox\n"
        #expect(run == Run(status: 2, output: "", errors: line))
    }
}
