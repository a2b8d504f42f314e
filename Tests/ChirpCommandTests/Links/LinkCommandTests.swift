import Foundation
import Testing

/// Sharing, resolving, listing, deleting and moving links, as a person does.
@Suite struct LinkCommandTests {
    @Test func `every kind of link is shared once, resolved, listed and found`() async throws {
        let home = try Household()
        try home.folder.write(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]), as: "cover.jpg")
        let shares: [([String], String)] = [
            (["user", "RJ"], "user  RJ  https://www.last.fm/user/RJ"),
            (["url", "https://example.org/a"], "url  https://example.org/a"),
            (["url", "https://example.org/b", "--title", "A b"], "url  “A b”  https://example.org/b"),
            (["text", "hello, world"], "text  “hello, world”"), (["data", "{\"b\":1}"], "data  {\"b\":1}"),
            (["file", "cover.jpg"], "file  cover.jpg (image/png, 10 bytes)"),
        ]
        var codes: [String] = []
        for (arguments, line) in shares {
            let run = try await home.chirp(["share"] + arguments)
            #expect(run.status == 0 && run.errors == "" && run.outputLines.count == 1, "\(run)")
            let code = try #require(run.outputLines.first)
            #expect(try await home.chirp(["share"] + arguments).output == code + "\n", "the same link, the same code")
            #expect(try await home.chirp("resolve", code) == Run(status: 0, output: line + "\n", errors: ""))
            codes.append(code)
        }
        let list = try await home.chirp("list", "--json").objects()
        #expect(list.map { $0["code"] as? String } == codes.reversed())
        #expect(list[1]["longcode"] as? String != nil && (list[1]["longcode"] as? String)?.count == 18)
        #expect(try await home.chirp("list", "a B").codes == [codes[2]])
        #expect(try await home.chirp("list", "--kind", "text").codes == [codes[3]])
        #expect(try await home.chirp("list", "nothing like this").status == 1)
        #expect(try await home.chirp("list", "--limit", "2").outputLines.count == 2)
        #expect(try await home.chirp("list", "--all", "--limit", "2").status == 64)
        let picture = try await home.chirp("resolve", codes[5], "--output", "again.png")
        #expect(picture.status == 0)
        #expect(try home.folder.read("again.png") == home.folder.read("cover.jpg"))
        #expect(
            try await home.chirp("import", "missing.jsonl").failure()
                == "chirp: missing.jsonl: No such file or directory")
        #expect(try await home.chirp("import", ".").failure().hasPrefix("chirp: .: "))
        // What is no file is written to, and stays what it is.
        let pipe = try await ChirpProcess.shell(
            "mkfifo pipe; chirp resolve --registry \(home.registryPath) \(codes[5]) -o pipe >/dev/null & wc -c <pipe; wait; test -p pipe && echo there",
            in: home.folder.path)
        #expect(pipe.outputLines == ["\(try home.folder.read("cover.jpg").count)", "there"], "\(pipe.errors)")
        for (path, reason) in [
            ("nowhere/x.png", "No such file or directory"), ("cover.jpg/x.png", "Not a directory"),
        ] {
            let line = try await home.chirp("resolve", codes[5], "--output", path).failure()
            #expect(line == "chirp: \(path): \(reason)")
        }
        // A link stays one, and what it leads to keeps its permissions.
        let linked = try await ChirpProcess.shell(
            """
            echo old >target; chmod 640 target; ln -s target link
            chirp resolve --registry \(home.registryPath) \(codes[5]) -o link >/dev/null
            test -L link && cmp target cover.jpg && stat -c %a target; ls | grep -c target
            """, in: home.folder.path)
        #expect(linked.outputLines == ["640", "1"], "\(linked.errors)")
    }

    @Test func `a registry that somebody named and that is not there is not exported as an empty one`() async throws {
        let home = try Household()
        #expect(try await home.chirp("export") == Run(status: 0, output: "", errors: ""))
        let path = home.folder.path("none.sqlite")
        for arguments in [["export", "--registry", path], ["export"]] {
            let run = try await home.chirp(arguments, registry: arguments.count == 1 ? path : nil)
            #expect(try run.failure().hasPrefix("chirp: \(path): there is no registry here"))
        }
    }

    @Test func `a registry that --registry names and that does not exist is not taken for an empty one`() async throws {
        let home = try Household()
        let path = home.folder.path("none.sqlite")
        let token = String(repeating: "0", count: 32)
        for arguments in [["list"], ["resolve", "gsm2h88c7u"], ["delete", "gsm2h88c7u", "--token", token]] {
            let line = try await home.chirp(arguments + ["--registry", path]).failure()
            #expect(line.hasPrefix("chirp: \(path): there is no registry here; "))
            #expect(try await home.chirp(arguments).status == 1, "the default one is created when something is shared")
        }
        #expect(try await home.chirp("share", "text", "note", "--registry", path).status == 0)
        #expect(try await home.chirp("list", "--registry", path).outputLines.count == 1)
    }

    @Test func `an original code is registered as given, and refused when it stands for something else`() async throws {
        let home = try Household()
        #expect(try await home.share("url", "https://example.org/", "--code", "gsm2h88c7u") == "gsm2h88c7u")
        #expect(try await home.share("url", "https://example.org/", "--code", "gsm2h88c7u") == "gsm2h88c7u")
        let taken = try await home.chirp("share", "url", "https://example.com/", "--code", "gsm2h88c7u").failure()
        #expect(taken.contains("gsm2h88c7u: the code stands for something else"))
        let second = try await home.chirp("share", "url", "https://example.org/", "--code", "gsm2h88c7v").failure()
        #expect(second.contains("the link already has the code gsm2h88c7u"))
        #expect(try await home.chirp("resolve", "gsm2h88c7udtnef4ok").output == "url  https://example.org/\n")
        let longcode = try await home.chirp("resolve", "gsm2h88c7udtnef4oj").failure()
        #expect(longcode.contains("gsm2h88c7udtnef4oj"))
    }

    @Test func `what is shared is written in the formats that are asked for`() async throws {
        let home = try Household()
        let code = try await home.share("text", "hello", "--format", "fast,telephone", "-o", "hello.wav")
        let chirps = try await home.chirp("decode", "--format", "all", "--json", "hello.wav").objects()
        #expect(chirps.map { $0["code"] as? String } == [code, code])
        #expect(chirps.map { $0["format"] as? String } == ["fast", "telephone"])
    }

    @Test func `an unknown code ends with status 1`() async throws {
        let run = try await Household().chirp("resolve", "gsm2h88c7u")
        #expect(run.status == 1 && run.output == "" && run.errors.contains("does not have this code"))
    }

    @Test(arguments: [
        (["url", "ftp://example.org"], "does not begin with http:// or https://"),
        (["url", "https://a:b@example.org"], "password"),
        (["text", ""], "the note is empty"), (["user", "a b"], "neither a letter"),
        (["data", "[1]"], "not a JSON object"),
        (["file", "/etc/hostname"], "is not a PNG, JPEG, GIF, WebP or PDF"),
        (["file", "none"], "none: "),
    ])
    func `what cannot be a link is refused in one line with the reason`(arguments: [String], says: String)
        async throws
    {
        let home = try Household()
        #expect(try await home.chirp(["share"] + arguments).failure().contains(says))
        #expect(!FileManager.default.fileExists(atPath: home.registryPath))
    }

    @Test func `what was shared from here is deleted without a token, and by others only with it`() async throws {
        let home = try Household()
        let shared = try await home.chirp("share", "text", "secret", "--expires", "30d", "--json").objects()[0]
        let code = try #require(shared["code"] as? String)
        let token = try #require(shared["deletion_token"] as? String)
        #expect(shared["is_new"] as? Bool == true && shared["expires"] as? String != nil)
        let second = try await home.chirp("share", "text", "secret", "--json").objects()[0]
        #expect(second["is_new"] as? Bool == false && second["deletion_token"] is NSNull)
        let stranger = try Household(registry: home.registryPath)
        #expect(try await stranger.chirp("delete", code).failure().contains("no deletion token for this code"))
        let zeros = String(repeating: "0", count: 32)
        #expect(
            try await stranger.chirp("delete", code, "--token", zeros).failure().contains("the deletion token is wrong")
        )
        #expect(try await home.chirp("delete", code).status == 0)
        #expect(try await home.chirp("delete", code, "--token", token).status == 1)
        #expect(try await home.chirp("resolve", code).status == 1)
    }

    @Test func `a registry moves to a server and back without loss`() async throws {
        let home = try Household()
        try home.folder.write(Data("%PDF-1.4 and more".utf8), as: "paper.pdf")
        _ = try await home.share("user", "rj", "--expires", "4w")
        _ = try await home.share("data", "{\"deep\":{\"list\":[1,2.5,null,\"“quoted”\"]}}", "--title", "Data")
        _ = try await home.share("file", "paper.pdf")
        for index in 0..<5 { _ = try await home.share("text", "note \(index)\nsecond line") }
        let lines = try await home.chirp("export").output
        #expect(lines.split(separator: "\n").count == 8)
        try home.folder.write(Data(lines.utf8), as: "lines")
        let server = try await makeDatabase()
        let there = try await home.chirp("import", "lines", registry: server)
        #expect(there.status == 0 && there.errors == "chirp: 8 added, 0 already present, 0 skipped\n")
        #expect(try await home.chirp("export", registry: server).output == lines)
        try home.folder.write(Data(try await home.chirp("export", registry: server).output.utf8), as: "again")
        let back = home.folder.path("back.sqlite")
        #expect(try await home.chirp("import", "again", registry: back).status == 0)
        #expect(try await home.chirp("export", registry: back).output == lines)
        #expect(try await home.chirp("import", "again", registry: back).errors.contains("0 added, 8 already present"))
        try home.folder.write(Data((lines.prefix(while: { $0 != "\n" }) + "\n{\"code\":\n").utf8), as: "broken")
        let third = home.folder.path("third.sqlite")
        let broken = try await home.chirp("import", "broken", registry: third).failure()
        #expect(broken.contains("broken, line 2: ") && broken.contains("the lines before it are imported"), "\(broken)")
        #expect(try await home.chirp("list", registry: third).outputLines.count == 1)
        // Lines as other systems end them, and an empty one.
        let ended = lines.split(separator: "\n").joined(separator: "\r\n") + "\r\n\r\n"
        try home.folder.write(Data(ended.utf8), as: "ended")
        let fourth = try await home.chirp("import", "ended", registry: home.folder.path("fourth.sqlite"))
        #expect(fourth.status == 0 && fourth.errors == "chirp: 8 added, 0 already present, 0 skipped\n")
    }
}
