// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// The protocol core, the laboratory that measures it and the tests of both alone, free of every other package but
/// swift-numerics: builds in seconds.
let coreOnly = Context.environment["CHIRP_CORE_ONLY"] != nil

/// Makes Swift's libraries part of the program: it then starts in two thirds of the time, takes 10 MB less, and runs where
/// no Swift is installed. The objects are the same, only `chirp` is linked in another way. For `--product chirp` alone, as
/// tests would be linked with these flags, too; the Makefile sets it.
let linksStatically = Context.environment["CHIRP_STATIC"] == "1"
let linking: [LinkerSetting] =
    linksStatically
    ? [
        .unsafeFlags([
            "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
            "-use-ld=lld", "-Xlinker", "--no-export-dynamic",
        ])
    ] : []

var products: [Product] = [
    .library(name: "Chirp", targets: ["Chirp"]),
    .library(name: "ChirpC", type: .static, targets: ["ChirpC"]),
    .library(name: "ChirpLab", targets: ["ChirpLab"]),
]
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
    // The library for C, which the Makefile makes a shared one of.
    .systemLibrary(name: "CChirp"),
    .target(
        name: "ChirpC", dependencies: ["CChirp", "Chirp"], exclude: ["symbols.map"],
        swiftSettings: strict + [.strictMemorySafety()]),
    .executableTarget(
        name: "roundtrip-example", dependencies: ["Chirp"], path: "Examples/Swift/RoundTrip", swiftSettings: strict),
    .executableTarget(
        name: "rawlisten-example", dependencies: ["Chirp"], path: "Examples/Swift/ListenToRaw", swiftSettings: strict),
    .executableTarget(
        name: "parity-example", dependencies: ["Chirp"], path: "Examples/Swift/Parity", swiftSettings: strict),
    .target(
        name: "ChirpLab",
        dependencies: ["Chirp", .product(name: "RealModule", package: "swift-numerics")],
        swiftSettings: strict),
    .testTarget(name: "ChirpLabTests", dependencies: ["Chirp", "ChirpLab"], swiftSettings: strict),
]

if !coreOnly {
    products += [
        .library(name: "ChirpLinks", targets: ["ChirpLinks"]),
        .library(name: "ChirpService", targets: ["ChirpService"]),
        .library(name: "ChirpSound", targets: ["ChirpSound"]),
        .executable(name: "chirp", targets: ["chirp"]),
    ]
    dependencies += [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ]
    targets += [
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .target(
            name: "ChirpSound",
            dependencies: ["CALSA", "Chirp", "CSndfile", .product(name: "RealModule", package: "swift-numerics")],
            swiftSettings: strict + [.strictMemorySafety()]),
        .target(name: "ChirpReport", dependencies: ["Chirp", "ChirpLinks"], swiftSettings: strict),
        .target(
            name: "ChirpLinks",
            dependencies: [
                "Chirp", "CPostgres",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict + [.strictMemorySafety()]),
        .target(
            name: "ChirpPictures",
            dependencies: ["Chirp", .product(name: "RealModule", package: "swift-numerics")],
            swiftSettings: strict),
        .target(
            name: "ChirpService",
            dependencies: [
                "Chirp", "ChirpLinks", "ChirpReport", "ChirpSound",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [
                .embedInCode("Resources/albums.mustache"), .embedInCode("Resources/code.mustache"),
                .embedInCode("Resources/error.mustache"), .embedInCode("Resources/home.mustache"),
                .embedInCode("Resources/layout.mustache"), .embedInCode("Resources/openapi.json"),
                .embedInCode("Resources/chart.js"), .embedInCode("Resources/chirp.css"),
                .embedInCode("Resources/code.js"), .embedInCode("Resources/history.js"),
                .embedInCode("Resources/home.js"), .embedInCode("Resources/icon.svg"),
                .embedInCode("Resources/listen.js"), .embedInCode("Resources/microphone.js"),
                .embedInCode("Resources/pieces.js"), .embedInCode("Resources/play.js"),
                .embedInCode("Resources/share.js"), .embedInCode("Resources/spectrogram.js"),
            ],
            swiftSettings: strict),
        .target(
            name: "RegistryConformance", dependencies: ["Chirp", "ChirpLinks"], path: "Tests/RegistryConformance",
            swiftSettings: strict),
        .executableTarget(
            name: "registry-workload", dependencies: ["Chirp", "ChirpLinks"], path: "Tests/RegistryWorkload",
            swiftSettings: strict),
        .target(
            name: "LastFMStandIn",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Tests/LastFMStandIn",
            swiftSettings: strict),
        .testTarget(
            name: "ChirpLinksTests",
            dependencies: [
                "Chirp", "ChirpLinks", "LastFMStandIn", "RegistryConformance", "registry-workload",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "hello-service", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            path: "Tests/HelloService", swiftSettings: strict),
        .testTarget(
            name: "ChirpServiceTests",
            dependencies: [
                "Chirp", "ChirpLinks", "ChirpService", "RegistryConformance", "chirp", "hello-service",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: strict),
        .testTarget(name: "ChirpSoundTests", dependencies: ["Chirp", "ChirpSound"], swiftSettings: strict),
        .testTarget(
            name: "ChirpCommandTests",
            dependencies: [
                "Chirp", "ChirpLab", "ChirpLinks", "ChirpReport", "ChirpSound", "LastFMStandIn", "RegistryConformance",
                "SoundServer", "chirp",
            ], exclude: ["Snapshots"],
            swiftSettings: strict),
        .target(name: "SoundServer", path: "Tests/SoundServer", swiftSettings: strict),
        .testTarget(
            name: "ChirpLiveTests", dependencies: ["Chirp", "ChirpSound", "SoundServer", "chirp"],
            swiftSettings: strict),
        .executableTarget(
            name: "scan-benchmark", dependencies: ["Chirp", "ChirpSound"], path: "Benchmarks/Scan",
            swiftSettings: strict),
        .executableTarget(
            name: "live-benchmark", dependencies: ["Chirp", "SoundServer"], path: "Benchmarks/Live",
            swiftSettings: strict),
        .executableTarget(
            name: "chirp",
            dependencies: [
                "CMalloc",
                "Chirp", "ChirpLab", "ChirpLinks", "ChirpPictures", "ChirpReport", "ChirpService", "ChirpSound",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "RealModule", package: "swift-numerics"),
            ],
            path: "Sources/ChirpCommand",
            swiftSettings: strict, linkerSettings: linking),
    ]
}

let package = Package(name: "chirp", products: products, dependencies: dependencies, targets: targets)
