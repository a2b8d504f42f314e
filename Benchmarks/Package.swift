// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// The protocol core alone, as in the package above.
let coreOnly = Context.environment["CHIRP_CORE_ONLY"] != nil

var targets: [Target] = [
    .executableTarget(
        name: "ReceiverBenchmarks",
        dependencies: [
            .product(name: "Benchmark", package: "benchmark"),
            .product(name: "Chirp", package: "chirp"),
            .product(name: "ChirpLab", package: "chirp"),
        ],
        path: "Benchmarks/ReceiverBenchmarks",
        swiftSettings: strict,
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
]

if !coreOnly {
    targets.append(
        .executableTarget(
            name: "StorageBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Chirp", package: "chirp"),
                .product(name: "ChirpLinks", package: "chirp"),
                .product(name: "ChirpSound", package: "chirp"),
            ],
            path: "Benchmarks/StorageBenchmarks",
            swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]))
}

let package = Package(
    name: "chirp-benchmarks",
    dependencies: [
        .package(name: "chirp", path: ".."),
        // Without its interposers, which would be preloaded into what is measured.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: targets)
