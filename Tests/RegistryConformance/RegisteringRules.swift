internal import Chirp
internal import ChirpLinks

extension RegistryRule {
    func checkNewLink(_ registry: any Registry) async throws {
        let expires = Timestamp(milliseconds: Timestamp.now.milliseconds + 86_400_123)
        let drafts = try Sample.drafts(expires: expires)
        try require(Set(drafts.map(\.link.kind)) == Set(LinkKind.allCases), "a kind has no sample")
        for draft in drafts {
            let before = Timestamp.now
            let registration = try await registry.register(draft)
            try require(registration.isNew, "a new \(draft.link.kind) is not told to be new")
            try require(registration.deletionToken == draft.deletionToken, "the token is not the draft's")
            let record = try await registry.record(of: registration.record.code)
            try require(record == registration.record, "looked up \(record as Any), not \(registration.record)")
            guard let record else { continue }
            try require(record.link == draft.link, "the link became \(record.link)")
            try require(LinkSummary(record) == LinkSummary(registration.record), "its parts differ")
            try require(record.title == draft.title, "the title became \(record.title ?? "nil")")
            try require(record.claimedMediaType == draft.claimedMediaType, "the media type changed")
            try require(record.expires == expires, "the expiry became \(record.expires as Any)")
            try require(record.clientKind == "conformance", "who asked became \(record.clientKind)")
            let age = record.created.milliseconds - before.milliseconds
            try require((-60_000...60_000).contains(age), "it was created at \(record.created)")
        }
    }

    func checkSameLink(_ registry: any Registry) async throws {
        for draft in try Sample.drafts() {
            let first = try await registry.register(draft)
            let again =
                draft.content == nil
                ? try LinkDraft(draft.link, title: "another", clientKind: "other")
                : try LinkDraft(fileNamed: "other.gif", bytes: draft.content ?? [], clientKind: "other")
            let second = try await registry.register(again)
            try require(second.record == first.record, "\(second.record) is not \(first.record)")
            try require(!second.isNew && second.deletionToken == nil, "the second is told to be new")
        }
    }

    func checkUnknownCode(_ registry: any Registry) async throws {
        let code = Sample.code()
        try require(try await registry.record(of: code) == nil, "it stands for something")
        try require(try await registry.content(of: code) == nil, "it has content")
        try require(try await !registry.delete(code, token: DeletionToken()), "it could be deleted")
    }

    func checkCodeAsGiven(_ registry: any Registry) async throws {
        let code = Sample.code()
        let link = try Sample.url()
        let first = try await registry.register(try Sample.draft(link, code: code))
        try require(first.record.code == code && first.isNew, "it got \(first.record.code)")
        let again = try await registry.register(try Sample.draft(link, code: code))
        try require(again.record.code == code && !again.isNew, "again it got \(again.record.code)")
        let without = try await registry.register(try Sample.draft(link))
        try require(without.record.code == code, "without a code it got \(without.record.code)")
    }

    func checkTakenCode(_ registry: any Registry) async throws {
        let taken = try await registry.register(try Sample.draft(Sample.url())).record
        try await requireThrows(.codeTaken(taken.code)) {
            try await registry.register(try Sample.draft(Sample.url(), code: taken.code))
        }
        let known = try await registry.register(try Sample.draft(Sample.url())).record
        try await requireThrows(.codeTaken(taken.code)) {
            try await registry.register(try Sample.draft(known.link, code: taken.code))
        }
        try require(try await registry.record(of: taken.code) == taken, "the code stands for something else now")
    }

    func checkSecondCode(_ registry: any Registry) async throws {
        let record = try await registry.register(try Sample.draft(Sample.url())).record
        let other = Sample.code()
        try await requireThrows(.linkHasCode(record.code)) {
            try await registry.register(try Sample.draft(record.link, code: other))
        }
        try require(try await registry.record(of: other) == nil, "the other code stands for something")
    }

    func checkRepeatedDraft(_ registry: any Registry) async throws {
        let draft = try Sample.draft(Sample.url())
        let first = try await registry.register(draft)
        try require(try await registry.register(draft) == first, "the repetition is answered differently")
    }

    func checkFile(_ registry: any Registry) async throws {
        for length in [5, 6, 4_096, 1_000_000] {
            var bytes = Array("%PDF-".utf8)
            while bytes.count < length { bytes.append(UInt8.random(in: 0...255)) }
            let draft = try LinkDraft(fileNamed: "a.pdf", bytes: bytes, clientKind: "conformance")
            let code = try await registry.register(draft).record.code
            try require(try await registry.content(of: code) == bytes, "\(length) bytes came back changed")
        }
        let note = try await registry.register(try Sample.draft(Sample.url())).record.code
        try require(try await registry.content(of: note) == nil, "an address has content")
    }

    func checkCrowd(_ registry: any Registry) async throws {
        let links = try (0..<10).map { _ in try Sample.url() }
        let codes = try await withThrowingTaskGroup(of: [Registration].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var answers: [Registration] = []
                    for link in links { answers.append(try await registry.register(try Sample.draft(link))) }
                    return answers
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for index in links.indices {
            let answers = codes.map { $0[index] }
            try require(Set(answers.map(\.record.code)).count == 1, "a link got several codes")
            try require(answers.filter(\.isNew).count == 1, "\(answers.filter(\.isNew).count) were told it is new")
        }
        try require(Set(codes[0].map(\.record.code)).count == links.count, "a code stands for two links")
    }

    func checkState(_ registry: any Registry) async throws {
        _ = try await registry.register(try Sample.draft(Sample.url()))
        let state = try await registry.check()
        try require(state.schemaVersion >= 1 && !state.store.isEmpty, "the state is \(state)")
    }
}
