// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// The protocol core and its tests alone, free of every other package but swift-numerics: builds in seconds.
let coreOnly = Context.environment["CHIRP_CORE_ONLY"] != nil

var products: [Product] = [.library(name: "Chirp", targets: ["Chirp"])]
var dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1")
]
var targets: [Target] = [
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
    .target(
        name: "Chirp",
        dependencies: ["CFFTW", .product(name: "RealModule", package: "swift-numerics")],
        swiftSettings: strict + [.strictMemorySafety()]),
    .testTarget(
        name: "ChirpTests", dependencies: ["Chirp"], resources: [.copy("Vectors")], swiftSettings: strict),
]

if !coreOnly {
    products += [
        .library(name: "ChirpLab", targets: ["ChirpLab"]),
        .library(name: "ChirpSound", targets: ["ChirpSound"]),
        .executable(name: "chirp", targets: ["chirp"]),
    ]
    dependencies += [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ]
    targets += [
        .target(
            name: "ChirpLab",
            dependencies: ["Chirp", .product(name: "RealModule", package: "swift-numerics")],
            swiftSettings: strict),
        .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .target(
            name: "ChirpSound", dependencies: ["Chirp", "CSndfile"],
            swiftSettings: strict + [.strictMemorySafety()]),
        .target(name: "ChirpReport", dependencies: ["Chirp"], swiftSettings: strict),
        .executableTarget(
            name: "chirp",
            dependencies: [
                "Chirp", "ChirpLab", "ChirpReport", "ChirpSound",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/ChirpCommand",
            swiftSettings: strict),
    ]
}

let package = Package(name: "chirp", products: products, dependencies: dependencies, targets: targets)
