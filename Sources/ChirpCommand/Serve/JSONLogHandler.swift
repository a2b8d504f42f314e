internal import ChirpReport
internal import Foundation
internal import Logging

/// Logs to standard error, one JSON object a line: `time`, `level`, `message`, `logger`, and the metadata by their names.
struct JSONLogHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        StandardError.write(
            Self.line(level: event.level, message: "\(event.message)", label: label, metadata: all, time: Date()))
    }

    static func line(
        level: Logger.Level, message: String, label: String, metadata: Logger.Metadata, time: Date
    ) -> String {
        var members: [JSONValue.Member] = [
            .init("time", .string(time.formatted(Self.timeFormat))),
            .init("level", .string(level.rawValue)), .init("message", .string(message)),
            .init("logger", .string(label)),
        ]
        let taken = Set(members.map(\.key))
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            // Hummingbird's name for what error responses call so.
            let name = key == "hb.request.id" ? "request_id" : key
            members.append(.init(taken.contains(name) ? "\(name)_" : name, json(value)))
        }
        return JSONValue.object(members).text + "\n"
    }

    private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let number as Int): .integer(number)
        case .stringConvertible(let number as Double) where number.isFinite: .number(number)
        case .stringConvertible(let other): .string(other.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let values):
            .object(values.sorted { $0.key < $1.key }.map { .init($0.key, json($0.value)) })
        }
    }
}
