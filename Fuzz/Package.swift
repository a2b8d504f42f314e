// swift-tools-version: 6.2
import PackageDescription

// Built by `make fuzz`, with the flags that instrument every module: see docs/FUZZING.md.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func chirp(_ name: String) -> Target.Dependency { .product(name: name, package: "chirp") }

let package = Package(
    name: "chirp-fuzz",
    dependencies: [.package(name: "chirp", path: "..")],
    targets: [
        // libFuzzer, which the compiler links.
        .systemLibrary(name: "CFuzzer"),
        .target(
            name: "FuzzSupport", dependencies: ["CFuzzer"], swiftSettings: strict + [.strictMemorySafety()]),
        .executableTarget(
            name: "fuzz-core", dependencies: ["FuzzSupport", chirp("Chirp")], path: "Sources/Core",
            swiftSettings: strict),
    ])

// The protocol core alone, as in the package above, builds in a minute.
if Context.environment["CHIRP_CORE_ONLY"] == nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz-sound", dependencies: ["FuzzSupport", chirp("Chirp"), chirp("ChirpSound")],
            path: "Sources/Sound", swiftSettings: strict))
    package.dependencies.append(.package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"))
    // The service's parsers and escaping alone, by links to their sources: the service as a whole takes ten minutes.
    package.targets.append(
        .executableTarget(
            name: "fuzz-service",
            dependencies: ["FuzzSupport", .product(name: "Mustache", package: "swift-mustache")],
            path: "Sources/Service", swiftSettings: strict))
}
