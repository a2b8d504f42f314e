internal import ChirpLinks
internal import CoreMetrics
internal import HTTPTypes
internal import Synchronization

/// What the service counts. Labels take their values from the program, and methods from those that the parser knows, so that their number is
/// bounded.
final class ServiceMetrics: Sendable {
    private struct Answered: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private let exposition = PrometheusMetrics()
    // Looked up by value: making a series anew for every request would build its labels each time.
    private let requests = Mutex<[Answered: Counter]>([:])
    private let durations = Mutex<[String: CoreMetrics.Timer]>([:])

    let decodesInFlight: Meter
    let decodesWaiting: Meter
    let decodesRefused: Counter
    let decodesCutOff: Counter
    let decodeSeconds: FloatingPointCounter
    let chirpsHeard: Counter
    let bodyBytes: Meter
    let spooledBytes: Meter
    let rateRefusals: Counter

    init() {
        decodesInFlight = Meter(label: "chirp_decodes_in_flight", factory: exposition)
        decodesWaiting = Meter(label: "chirp_decodes_waiting", factory: exposition)
        decodesRefused = Counter(label: "chirp_decodes_refused_total", factory: exposition)
        decodesCutOff = Counter(label: "chirp_decodes_cut_off_total", factory: exposition)
        decodeSeconds = FloatingPointCounter(label: "chirp_decode_processor_seconds_total", factory: exposition)
        chirpsHeard = Counter(label: "chirp_chirps_heard_total", factory: exposition)
        bodyBytes = Meter(label: "chirp_bodies_held_bytes", factory: exposition)
        spooledBytes = Meter(label: "chirp_sounds_spooled_bytes", factory: exposition)
        rateRefusals = Counter(label: "chirp_rate_refusals_total", factory: exposition)
        for (name, help) in Self.help { exposition.describe(name, help) }
    }

    private static let help = [
        "chirp_http_requests_total": "Answered requests by route, method and status.",
        "chirp_http_request_duration_seconds": "Time from a request's head to its response, by route.",
        "chirp_http_malformed_requests_total": "Requests that were refused before they reached a route, by status.",
        "chirp_decodes_in_flight": "Sounds being decoded.",
        "chirp_decodes_waiting": "Sounds waiting to be decoded.",
        "chirp_decodes_refused_total": "Sounds refused because too many waited.",
        "chirp_decodes_cut_off_total": "Sounds cut off because they took more processor time than their length allows.",
        "chirp_decode_processor_seconds_total": "Processor time of decoding.",
        "chirp_chirps_heard_total": "Chirps found in sounds.",
        "chirp_bodies_held_bytes": "Bytes of request bodies in memory.",
        "chirp_sounds_spooled_bytes": "Bytes of uploaded sounds in temporary files.",
        "chirp_rate_refusals_total": "Requests refused by --rate.",
        "chirp_chart_failures_total": "Charts that a page could not show, by reason.",
        "chirp_registry_errors_total": "Failed registry operations by operation and reason.",
        "chirp_links_registered_total": "New links by kind.",
        "chirp_links_deleted_total": "Links deleted by their owners.",
        "chirp_links_expired_total": "Expired links removed by this process.",
        "process_cpu_seconds_total": "Processor time of the process.",
        "process_open_fds": "Open file descriptors.",
        "process_resident_memory_bytes": "Resident memory.",
        "process_start_time_seconds": "When the process started, in seconds since 1970.",
    ]

    /// Counts an answered request.
    ///
    /// - Parameter route: the route's path with its parameters in braces.
    func answered(route: String, method: HTTPRequest.Method, status: Int, duration: Duration) {
        let key = Answered(route: route, method: method.rawValue, status: status)
        requests.withLock { known in
            if let counter = known[key] { return counter.increment() }
            let counter = Counter(
                label: "chirp_http_requests_total",
                dimensions: [("route", route), ("method", key.method), ("status", "\(status)")], factory: exposition)
            known[key] = counter
            counter.increment()
        }
        let nanoseconds = Int64(duration / .nanoseconds(1))
        durations.withLock { known in
            if let timer = known[route] { return timer.recordNanoseconds(nanoseconds) }
            let timer = CoreMetrics.Timer(
                label: "chirp_http_request_duration_seconds", dimensions: [("route", route)], factory: exposition)
            known[route] = timer
            timer.recordNanoseconds(nanoseconds)
        }
    }

    func malformed(status: Int) {
        Counter(
            label: "chirp_http_malformed_requests_total", dimensions: [("status", "\(status)")], factory: exposition
        ).increment()
    }

    func registryFailed(_ operation: String, reason: String) {
        Counter(
            label: "chirp_registry_errors_total", dimensions: [("operation", operation), ("reason", reason)],
            factory: exposition
        ).increment()
    }

    func chartFailed(reason: String) {
        Counter(label: "chirp_chart_failures_total", dimensions: [("reason", reason)], factory: exposition).increment()
    }

    func registered(_ kind: LinkKind) {
        Counter(
            label: "chirp_links_registered_total", dimensions: [("kind", kind.rawValue)], factory: exposition
        ).increment()
    }

    func deleted() { Counter(label: "chirp_links_deleted_total", factory: exposition).increment() }

    func expired(_ count: Int) {
        Counter(label: "chirp_links_expired_total", factory: exposition).increment(by: count)
    }

    /// Everything in Prometheus's text format.
    var text: String {
        if let process = ProcessFigures() {
            Meter(label: "process_resident_memory_bytes", factory: exposition).set(process.residentBytes)
            Meter(label: "process_open_fds", factory: exposition).set(process.openDescriptors)
            Meter(label: "process_cpu_seconds_total", factory: exposition).set(process.processorSeconds)
            Meter(label: "process_start_time_seconds", factory: exposition).set(process.startSeconds)
        }
        return exposition.text
    }
}
