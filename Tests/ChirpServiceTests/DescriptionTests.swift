import Foundation
import Logging
import Testing

@testable import ChirpLinks
@testable import ChirpService

/// The description of the interface beside the interface.
@Suite struct DescriptionTests {
    static var description: [String: Any] {
        get throws {
            let object = try JSONSerialization.jsonObject(with: Data(Resource.description.utf8))
            return try #require(object as? [String: Any])
        }
    }
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    @Test func `every route is described, and nothing else is`() throws {
        let registry = SQLiteRegistry(path: NSTemporaryDirectory() + "/never-made.sqlite")
        let server = try ChirpServer(ServiceConfiguration(), registry: registry, logger: Logger(label: "test"))
        let routes = server.routes.map { "\($0.method) \($0.path)" }
        let paths = try #require(try Self.description["paths"] as? [String: [String: Any]])
        let described = paths.flatMap { path, item in
            item.keys.filter(Self.methods.contains).map { "\($0.uppercased()) \(path)" }
        }
        #expect(Set(routes) == Set(described))
        #expect(routes.count == Set(routes).count)
    }

    @Test func `every parameter of a path is described`() throws {
        let paths = try #require(try Self.description["paths"] as? [String: [String: Any]])
        for (path, item) in paths {
            let names = path.matches(of: /{([^}]+)}/).map { String($0.output.1) }
            for (method, operation) in item where Self.methods.contains(method) {
                let parameters = (operation as? [String: Any])?["parameters"] as? [[String: Any]] ?? []
                let found = try parameters.map { try Self.resolved($0) }.filter { $0["in"] as? String == "path" }
                #expect(Set(found.compactMap { $0["name"] as? String }) == Set(names), "\(method) \(path)")
            }
        }
    }

    @Test func `every reference leads somewhere, and every name is used`() throws {
        var references: Set<String> = []
        func collect(_ value: Any) {
            if let object = value as? [String: Any] {
                if let reference = object["$ref"] as? String { references.insert(reference) }
                object.values.forEach(collect)
            } else if let list = value as? [Any] {
                list.forEach(collect)
            }
        }
        collect(try Self.description)
        for reference in references { #expect(try !Self.resolved(["$ref": reference]).isEmpty, "\(reference)") }
        let components = try #require(try Self.description["components"] as? [String: [String: Any]])
        for (sort, names) in components where sort != "securitySchemes" {
            for name in names.keys { #expect(references.contains("#/components/\(sort)/\(name)"), "\(name)") }
        }
    }

    @Test func `the files of the pages are those that are described`() throws {
        let paths = try #require(try Self.description["paths"] as? [String: [String: Any]])
        let operation = try #require(paths["/assets/{name}"]?["get"] as? [String: Any])
        let parameter = try #require((operation["parameters"] as? [[String: Any]])?.first)
        let names = (parameter["schema"] as? [String: Any])?["enum"] as? [String]
        #expect(Set(names ?? []) == Set(Resource.assets.keys))
    }

    @Test func `a pattern is described as it is, whatever characters it has`() throws {
        let member = LinkJSONMember("place", .string, pattern: #"^"[0-9]+(\.[0-9]+)?"$"#)
        let object = try JSONSerialization.jsonObject(with: Data("{\(member.schema)}".utf8))
        let place = try #require((object as? [String: [String: String]])?["place"])
        #expect(place == ["type": "string", "pattern": #"^"[0-9]+(\.[0-9]+)?"$"#])
    }

    private static func resolved(_ object: [String: Any]) throws -> [String: Any] {
        guard let reference = object["$ref"] as? String else { return object }
        var value: Any? = try description
        for part in reference.split(separator: "/").dropFirst() { value = (value as? [String: Any])?[String(part)] }
        return value as? [String: Any] ?? [:]
    }
}
