// swift-tools-version: 6.2
import PackageDescription

// The package is put together at the end of this file, from the lists in between.

/// Leaves the protocol core, its C library, the laboratory that measures it and their tests: builds in seconds.
let isCoreOnly = Context.environment["CHIRP_CORE_ONLY"] != nil

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]
/// For modules that wrap C libraries.
let memorySafe = strict + [.strictMemorySafety()]

/// Links Swift's libraries into the program: it then starts in two thirds of the time, takes 10 MB less, and runs where
/// Swift is not installed. For `--product chirp` alone, because tests would be linked with these flags, too; the Makefile
/// sets the variable.
let linking: [LinkerSetting] =
    Context.environment["CHIRP_STATIC"] == "1"
    ? [
        .unsafeFlags([
            "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
            "-use-ld=lld", "-Xlinker", "--no-export-dynamic",
        ])
    ] : []

/// A digest is a few kilobytes of OpenSSL, which the program has in it then, too.
let linkingDigests: LinkerSetting =
    Context.environment["CHIRP_STATIC"] == "1"
    ? .unsafeFlags(["-Xlinker", "-l:libcrypto.a"]) : .linkedLibrary("crypto")

/// Builds every module of this package with sanitizers, such as `fuzzer,address`; other packages' as they are.
let sanitizers = Context.environment["CHIRP_SANITIZE"]

/// Adds the programs of Fuzz.
let isFuzzing = Context.environment["CHIRP_FUZZ"] != nil

// MARK: - Products of other packages

let numerics = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let collections = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

// MARK: - Core: format, coding, synthesis, reception, and the laboratory

let core: [Target] = [
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
    .target(name: "Chirp", dependencies: ["CFFTW", numerics], swiftSettings: memorySafe),
    .testTarget(
        name: "ChirpTests", dependencies: ["Chirp"], resources: [.copy("Vectors")], swiftSettings: strict),

    .target(name: "ChirpLab", dependencies: ["Chirp", numerics], swiftSettings: strict),
    .testTarget(name: "ChirpLabTests", dependencies: ["Chirp", "ChirpLab"], swiftSettings: strict),
    // Sounds of the regression gate, for tests of the receiver in other languages.
    .executableTarget(
        name: "gate-trials", dependencies: ["Chirp", "ChirpLab"], path: "Tests/GateTrials", swiftSettings: strict),
    // The weights of the acceptance model.
    .executableTarget(
        name: "fit-acceptance", dependencies: ["Chirp", "ChirpLab"], path: "Tests/AcceptanceFit", swiftSettings: strict),
    // Formats with other numbers, in the laboratory's channels.
    .executableTarget(
        name: "format-sweep", dependencies: ["Chirp", "ChirpLab"], path: "Tests/FormatSweep", swiftSettings: strict),
]

// MARK: - The library for C, which the Makefile makes a shared one of, and examples

let bindings: [Target] = [
    .systemLibrary(name: "CChirp"),
    .target(
        name: "ChirpC", dependencies: ["CChirp", "Chirp"], exclude: ["symbols.map"], swiftSettings: memorySafe),
    .executableTarget(
        name: "roundtrip-example", dependencies: ["Chirp"], path: "Examples/Swift/RoundTrip", swiftSettings: strict),
    .executableTarget(
        name: "rawlisten-example", dependencies: ["Chirp"], path: "Examples/Swift/ListenToRaw", swiftSettings: strict),
    .executableTarget(
        name: "parity-example", dependencies: ["Chirp"], path: "Examples/Swift/Parity", swiftSettings: strict),
]

// MARK: - Sound files and devices

let sound: [Target] = [
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .target(name: "ChirpSound", dependencies: ["CALSA", "Chirp", "CSndfile", numerics], swiftSettings: memorySafe),
    .testTarget(
        name: "ChirpSoundTests", dependencies: ["Chirp", "ChirpSound", "SoundServer"], swiftSettings: strict),
    // A PulseAudio server for tests of devices, and what tests with programs share.
    .target(name: "SoundServer", path: "Tests/SoundServer", swiftSettings: strict),
]

// MARK: - Links, registries, Last.fm

let links: [Target] = [
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .target(
        name: "ChirpLinks",
        dependencies: ["CCurl", "Chirp", "COpenSSL", "CPostgres", collections, grdb, httpTypes],
        swiftSettings: memorySafe, linkerSettings: [linkingDigests]),
    .target(name: "ChirpReport", dependencies: ["Chirp", "ChirpLinks"], swiftSettings: strict),
    .testTarget(
        name: "ChirpLinksTests",
        dependencies: ["Chirp", "ChirpLinks", "LastFMStandIn", "RegistryConformance", "registry-workload", grdb],
        swiftSettings: strict),
    // The rules that every registry keeps, a program that loads one, and a server that answers as Last.fm does.
    .target(
        name: "RegistryConformance", dependencies: ["Chirp", "ChirpLinks"], path: "Tests/RegistryConformance",
        swiftSettings: strict),
    .executableTarget(
        name: "registry-workload", dependencies: ["Chirp", "ChirpLinks"], path: "Tests/RegistryWorkload",
        swiftSettings: strict),
    .target(
        name: "LastFMStandIn", dependencies: [nioCore, nioHTTP1, nioPosix], path: "Tests/LastFMStandIn",
        swiftSettings: strict),
]

// MARK: - The service

let service: [Target] = [
    .target(
        name: "ChirpService",
        dependencies: [
            "Chirp", "ChirpLinks", "ChirpReport", "ChirpSound", httpTypes, hummingbird, hummingbirdCore,
            logging, metrics, mustache, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, serviceLifecycle,
            unixSignals,
        ],
        resources: [.embedInCode("Resources")], swiftSettings: strict),
    .testTarget(
        name: "ChirpServiceTests",
        dependencies: [
            "Chirp", "ChirpLinks", "ChirpService", "ChirpSound", "RegistryConformance", "chirp", "hello-service",
            httpTypes, hummingbird, logging, metrics, nioCore,
        ], swiftSettings: strict),
    // What the throughput of the service is measured against.
    .executableTarget(
        name: "hello-service", dependencies: [hummingbird], path: "Tests/HelloService", swiftSettings: strict),
]

// MARK: - The program

let command: [Target] = [
    .target(name: "ChirpPictures", dependencies: ["Chirp", numerics], swiftSettings: strict),
    .systemLibrary(name: "CMalloc"),
    .executableTarget(
        name: "chirp",
        dependencies: [
            "Chirp", "ChirpLab", "ChirpLinks", "ChirpPictures", "ChirpReport", "ChirpService", "ChirpSound", "CMalloc",
            argumentParser, logging, nioCore, nioPosix, numerics,
        ],
        path: "Sources/ChirpCommand", swiftSettings: strict, linkerSettings: linking),
    .testTarget(
        name: "ChirpCommandTests",
        dependencies: [
            "Chirp", "ChirpLab", "ChirpLinks", "ChirpPictures", "ChirpReport", "ChirpSound", "LastFMStandIn",
            "RegistryConformance", "SoundServer", "chirp",
        ], exclude: ["Snapshots"], swiftSettings: strict),
    .testTarget(
        name: "ChirpLiveTests", dependencies: ["Chirp", "ChirpSound", "SoundServer", "chirp"], swiftSettings: strict),
]

// MARK: - Benchmarks

let benchmarks: [Target] = [
    .executableTarget(
        name: "scan-benchmark", dependencies: ["Chirp", "ChirpSound"], path: "Benchmarks/Scan", swiftSettings: strict),
    .executableTarget(
        name: "live-benchmark", dependencies: ["Chirp", "SoundServer"], path: "Benchmarks/Live", swiftSettings: strict),
]

// MARK: - Programs that libFuzzer runs

/// Without sanitizers, the program is linked with libFuzzer alone: it replays files, and mutates them blindly.
let fuzzed = strict + (sanitizers == nil ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])
let fuzzerLinking: [LinkerSetting] = sanitizers == nil ? [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])] : []

let fuzzingOfCore: [Target] = [
    .systemLibrary(name: "CFuzzer", path: "Fuzz/Sources/CFuzzer"),
    .target(
        name: "FuzzSupport", dependencies: ["CFuzzer"], path: "Fuzz/Sources/FuzzSupport", swiftSettings: memorySafe),
    .executableTarget(
        name: "fuzz-core", dependencies: ["Chirp", "FuzzSupport"], path: "Fuzz/Sources/Core", swiftSettings: fuzzed,
        linkerSettings: fuzzerLinking),
]

let fuzzingOfAll: [Target] = [
    .executableTarget(
        name: "fuzz-sound", dependencies: ["Chirp", "ChirpSound", "FuzzSupport"], path: "Fuzz/Sources/Sound",
        swiftSettings: fuzzed, linkerSettings: fuzzerLinking),
    .systemLibrary(
        name: "CGumbo", path: "Fuzz/Sources/CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"])]),
    .target(
        name: "PageMarkup", dependencies: ["CGumbo"], path: "Fuzz/Sources/PageMarkup", swiftSettings: memorySafe),
    .executableTarget(
        name: "fuzz-service",
        dependencies: [
            "Chirp", "ChirpLinks", "ChirpReport", "ChirpService", "FuzzSupport", "PageMarkup", httpTypes, hummingbird,
            hummingbirdCore, logging, mustache, nioCore, nioEmbedded, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1,
        ],
        path: "Fuzz/Sources/Service", swiftSettings: fuzzed, linkerSettings: fuzzerLinking),
]

// MARK: - The package

let package = Package(
    name: "chirp",
    products: [
        .library(name: "Chirp", targets: ["Chirp"]),
        .library(name: "ChirpC", type: .static, targets: ["ChirpC"]),
        .library(name: "ChirpLab", targets: ["ChirpLab"]),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-numerics", from: "1.1.1")],
    targets: core + bindings)

if !isCoreOnly {
    package.products += [
        .library(name: "ChirpLinks", targets: ["ChirpLinks"]),
        .library(name: "ChirpService", targets: ["ChirpService"]),
        .library(name: "ChirpSound", targets: ["ChirpSound"]),
        .executable(name: "chirp", targets: ["chirp"]),
    ]
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without what reads settings from the environment, which is not used.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ]
    package.targets += sound + links + service + command + benchmarks
}

if isFuzzing {
    package.targets += fuzzingOfCore + (isCoreOnly ? [] : fuzzingOfAll)
}

if let sanitizers {
    let flags = ["-sanitize=\(sanitizers)"]
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
        target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(flags + ["-use-ld=lld"])]
    }
}
