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
