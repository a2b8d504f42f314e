internal import Chirp
internal import Foundation
internal import FuzzSupport

@testable internal import ChirpLinks

extension FuzzTarget {
    /// Web addresses, places of registries, names, notes, days and instants as people and programs write them.
    static let texts = FuzzTarget("texts") { source in
        let text = source.wholeText
        if let address = try? WebAddress(text) {
            require(!address.host.isEmpty, "“\(text)” has a host")
            require(!address.text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "“\(text)” has no spaces within")
            // With a path it may be longer than an address that is given.
            if address.normalised.utf8.count <= WebAddress.byteLimit {
                let again = try? WebAddress(address.normalised)
                require(again?.normalised == address.normalised, "“\(address.normalised)” is in its normal form")
                require(again?.host == address.host, "“\(text)” keeps its host")
            }
        }
        if let place = try? RegistryLocation(parsing: text) {
            require((try? RegistryLocation(parsing: text)) == place, "“\(text)” is one place")
            _ = place.description
        }
        if let name = try? UserName(text) { require((try? UserName(name.text)) == name, "“\(text)” is a name") }
        if let note = try? NoteText(text) { require((try? NoteText(note.text)) == note, "“\(text)” is a note") }
        if let day = CivilDate(text) {
            require(CivilDate(day.description) == day, "“\(text)” is a day")
            require(CivilDate(daysSinceEpoch: day.daysSinceEpoch) == day, "\(day) is counted")
            _ = (day.yearsAgo(100), day.yearsAgo(-100))
        }
        if let instant = Timestamp(text) {
            require(Timestamp(instant.description) == instant, "“\(text)” is an instant")
        }
        if let object = try? DataObject(parsing: text) {
            require((try? DataObject(parsing: object.canonicalText)) == object, "“\(text)” is an object")
        }
        _ = try? LinkRecord.checkedTitle(text)
        _ = try? LinkRecord.checkedMediaType(text)
    }

    /// A line of `chirp export`: what is taken is written and read again as it was, and a registry takes it.
    static let entries = FuzzTarget("entries") { source in
        for line in source.rest.split(separator: 10) {
            guard let entry = try? JSONDecoder().decode(RegistryEntry.self, from: Data(line)) else { continue }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            guard let data = try? encoder.encode(entry),
                let again = try? JSONDecoder().decode(RegistryEntry.self, from: data)
            else {
                require(false, "\(entry) is written and read")
                continue
            }
            // Files are equal when their bytes are; their names stand in the text.
            require(again == entry && (try? encoder.encode(again)) == data, "\(again) is \(entry)")
            // Codes repeat, so that entries meet others.
            let registry = FuzzedService.registry
            waiting {
                do throws(RegistryError) {
                    let outcome = try await registry.add([entry])
                    guard outcome.added == 1, !entry.record.isExpired(at: .now) else { return }
                } catch .contentMissing {
                    return require(entry.content == nil, "\(entry) has what it needs")
                } catch {
                    return require(false, "\(entry) is taken, or one in conflict: \(error)")
                }
                let record = try? await registry.record(of: entry.record.code)
                require(record == entry.record, "\(entry) is found as it was added")
            }
        }
    }

    /// Answers of Last.fm, in the cache of a client.
    static let answers = FuzzTarget("answers") { source in
        let bytes = Array(source.rest)
        // Foundation leaks 4 kB for each empty file that it reads.
        guard !bytes.isEmpty, let name = try? UserName("rj"),
            let week = try? ChartWeek(from: 1_108_296_000, to: 1_108_900_800)
        else { return }
        let url = "http://localhost/"
        let cache = DiskCache(folder: FuzzedService.folder + "/lastfm", byteLimit: 1 << 30)
        let album = ChartAlbum(rank: 1, artist: "a", name: "b", playCount: 1, url: nil, mbid: nil)
        for query in [
            "user.getInfo user=rj", "user.getWeeklyChartList user=rj", "user.getFriends limit=200&page=1&user=rj",
            "user.getWeeklyAlbumChart from=\(week.from)&limit=1000&to=\(week.to)&user=rj",
            "album.getInfo album=b&artist=a&username=rj",
        ] { cache.keep(bytes, for: "\(url) \(query)") }
        var configuration = LastFMClient.Configuration(cachePath: cache.folder)
        configuration.url = url
        configuration.isOffline = true
        let client = LastFMClient(configuration)
        waiting {
            if let user = try? await client.user(name) { _ = user.registered?.description }
            _ = try? await client.friends(of: name)
            if let list = try? await client.weeks(for: name, until: .now) {
                for week in list.weeks { _ = (week.number, week.firstDay.description, week.lastDay.description) }
                _ = list.place(of: .now)
            }
            if let details = try? await client.details(of: album, for: name) {
                require(
                    details.summary?.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ?? true,
                    "a summary is one line")
            }
            guard let chart = try? await client.albumChart(of: name, week: week) else { return }
            require(chart.albums.map(\.rank) == chart.albums.map(\.rank).sorted(), "albums are in order")
            FuzzedService.check(chart)
        }
    }
}
