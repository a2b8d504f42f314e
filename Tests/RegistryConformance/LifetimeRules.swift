internal import Chirp
internal import ChirpLinks

extension RegistryRule {
    func checkDeletion(_ registry: any Registry) async throws {
        for draft in try Sample.drafts() {
            let record = try await registry.register(draft).record
            try await requireThrows(.wrongToken(record.code)) {
                try await registry.delete(record.code, token: DeletionToken())
            }
            try require(try await registry.record(of: record.code) == record, "the wrong token changed it")
            try require(try await registry.delete(record.code, token: draft.deletionToken), "it was not there")
            try require(try await registry.record(of: record.code) == nil, "it is still there")
            try require(try await registry.content(of: record.code) == nil, "its bytes are still there")
            try require(try await !registry.delete(record.code, token: draft.deletionToken), "it went twice")
            let again = try await registry.register(draft)
            try require(again.isNew, "a deleted link is not new")
        }
    }

    func checkExpired(_ registry: any Registry) async throws {
        let link = try Sample.url()
        let code = Sample.code()
        _ = try await registry.add([Sample.expired(link, code: code)])
        try require(try await registry.record(of: code) == nil, "it can be looked up")
        try require(try await !registry.list(LinkQuery(limit: 1_000)).contains { $0.code == code }, "it is listed")
        let again = try await registry.register(try Sample.draft(link))
        try require(again.record.code == code, "it got \(again.record.code) after \(code)")
        try require(again.isNew && again.record.expires == nil, "it is not new: \(again)")
        try require(try await registry.record(of: code) == again.record, "it cannot be looked up again")
    }

    func checkExpiredCode(_ registry: any Registry) async throws {
        let code = Sample.code()
        _ = try await registry.add([Sample.expired(Sample.url(), code: code)])
        let other = try await registry.register(try Sample.draft(Sample.url(), code: code))
        try require(other.isNew && other.record.code == code, "it got \(other)")
        let link = try Sample.url()
        _ = try await registry.add([Sample.expired(link)])
        let own = Sample.code()
        let moved = try await registry.register(try Sample.draft(link, code: own))
        try require(moved.isNew && moved.record.code == own, "the expired link got \(moved)")
    }

    func checkLongestExpiry(_ registry: any Registry) async throws {
        let link = try Sample.url()
        let day = Timestamp.now.advanced(by: .seconds(86_400))
        let week = Timestamp.now.advanced(by: .seconds(7 * 86_400))
        for (asked, kept) in [(week, week), (day, week), (nil, nil), (day, nil)] as [(Timestamp?, Timestamp?)] {
            let record = try await registry.register(try Sample.draft(link, expires: asked)).record
            try require(record.expires == kept, "asked for \(asked as Any), it stays until \(record.expires as Any)")
            try require(try await registry.record(of: record.code) == record, "the look-up says otherwise")
        }
    }

    func checkRemoval(_ registry: any Registry) async throws {
        let kept = try await registry.register(try Sample.draft(Sample.url())).record
        _ = try await registry.add((0..<3).map { _ in Sample.expired(try Sample.url()) })
        try require(try await registry.removeExpired() >= 3, "not all were removed")
        try require(try await registry.removeExpired() == 0, "something was left")
        try require(try await registry.record(of: kept.code) == kept, "a link without expiry went")
    }

    func checkList(_ registry: any Registry) async throws {
        let word = Sample.word()
        var records: [LinkRecord] = []
        for number in 0..<7 {
            let link = Link.text(try NoteText("\(word) \(number)"))
            records.append(try await registry.register(try Sample.draft(link)).record)
        }
        _ = try await registry.register(try Sample.draft(try Sample.url(word)))
        var listed: [LinkRecord] = []
        var query = LinkQuery(search: word, kind: .text, limit: 3)
        while case let page = try await registry.list(query), let last = page.last {
            try require(page.count <= 3, "a page of 3 has \(page.count)")
            listed += page
            query.after = .init(created: last.created, code: last.code)
        }
        let expected = records.sorted { ($0.created, $0.code.description) > ($1.created, $1.code.description) }
        try require(listed == expected, "listed \(listed.map(\.code)) instead of \(expected.map(\.code))")
    }

    func checkSearch(_ registry: any Registry) async throws {
        let word = Sample.word()
        let percent = try await registry.register(
            try LinkDraft(Sample.url(), title: "100% \(word)_x\\y", clientKind: "conformance")
        ).record
        for search in ["100% \(word)", "\(word)_X", word.uppercased(), "\(word)_x\\y", percent.link.url ?? ""] {
            let found = try await registry.list(LinkQuery(search: search))
            try require(found == [percent], "“\(search)” finds \(found)")
        }
        for search in ["\(word)%x", "\(word)__", "100_ \(word)"] {
            try require(try await registry.list(LinkQuery(search: search)).isEmpty, "“\(search)” finds something")
        }
    }
}
