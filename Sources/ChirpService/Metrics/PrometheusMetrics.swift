internal import CoreMetrics
internal import Foundation
internal import Synchronization

/// A back end of swift-metrics that writes Prometheus's text exposition format, version 0.0.4.
///
/// A name and its labels are one series however often it is made. Counters end in `_total`, and timers are histograms in
/// seconds over ``buckets``.
final class PrometheusMetrics: MetricsFactory {
    enum Kind: String { case counter, gauge, histogram }

    private struct Series {
        var order: [String] = []
        var cells: [String: any Cell] = [:]
    }
    private struct Family {
        let kind: Kind
        var series = Series()
    }
    private struct State {
        var families: [String: Family] = [:]
        var help: [String: String] = [:]
    }

    /// Upper bounds of a histogram's buckets, in seconds: from a look-up to the longest sound.
    static let buckets = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private let state = Mutex(State())

    /// Says what a metric counts.
    func describe(_ name: String, _ help: String) { state.withLock { $0.help[name] = help } }

    /// Every series, ordered by name and labels.
    var text: String {
        let (families, help) = state.withLock { ($0.families, $0.help) }
        var lines: [String] = []
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            if let help = help[name] { lines.append("# HELP \(name) \(help)") }
            lines.append("# TYPE \(name) \(family.kind.rawValue)")
            for labels in family.series.order.sorted() {
                lines += family.series.cells[labels]?.lines(name: name, labels: labels) ?? []
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func cell<C: Cell>(
        _ kind: Kind, _ label: String, _ dimensions: [(String, String)], make: @Sendable () -> C
    ) -> C {
        let labels = dimensions.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        return state.withLock { state in
            var family = state.families[label] ?? Family(kind: kind)
            if let known = family.series.cells[labels] as? C { return known }
            let cell = make()
            family.series.cells[labels] = cell
            family.series.order.append(labels)
            state.families[label] = family
            return cell
        }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(.counter, label, dimensions) { Count() }
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        cell(.counter, label, dimensions) { Sum() }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        // What the system counts is read rather than counted here.
        cell(label.hasSuffix("_total") ? .counter : .gauge, label, dimensions) { Level() }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate
            ? cell(.histogram, label, dimensions) { Histogram() } : cell(.gauge, label, dimensions) { Level() }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(.histogram, label, dimensions) { Histogram() }
    }

    // Series are kept until the process ends, as Prometheus wants its counters.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// One series.
private protocol Cell: AnyObject, Sendable {
    func lines(name: String, labels: String) -> [String]
}

extension Cell {
    fileprivate func line(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)" : "\(name){\(labels)} \(value)"
    }
}

private final class Count: CounterHandler, Cell {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) { value.add(amount, ordering: .relaxed) }
    func reset() { value.store(0, ordering: .relaxed) }
    func lines(name: String, labels: String) -> [String] {
        [line(name, labels, "\(value.load(ordering: .relaxed))")]
    }
}

private final class Sum: FloatingPointCounterHandler, Cell {
    private let value = Mutex(0.0)

    func increment(by amount: Double) { if amount.isFinite, amount > 0 { value.withLock { $0 += amount } } }
    func reset() { value.withLock { $0 = 0 } }
    func lines(name: String, labels: String) -> [String] { [line(name, labels, "\(value.withLock { $0 })")] }
}

private final class Level: MeterHandler, RecorderHandler, Cell {
    private let value = Mutex(0.0)

    func set(_ new: Int64) { set(Double(new)) }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ new: Int64) { set(Double(new)) }
    func record(_ new: Double) { set(new) }
    func lines(name: String, labels: String) -> [String] { [line(name, labels, "\(value.withLock { $0 })")] }
}

private final class Histogram: TimerHandler, RecorderHandler, Cell {
    private struct State {
        var counts = [Int](repeating: 0, count: PrometheusMetrics.buckets.count + 1)
        var sum = 0.0
    }
    private let state = Mutex(State())

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
        let index = PrometheusMetrics.buckets.firstIndex { value <= $0 } ?? PrometheusMetrics.buckets.count
        state.withLock {
            $0.counts[index] += 1
            $0.sum += value
        }
    }

    func lines(name: String, labels: String) -> [String] {
        let state = state.withLock { $0 }
        var total = 0
        var lines: [String] = []
        for (index, count) in state.counts.enumerated() {
            total += count
            let bound = index < PrometheusMetrics.buckets.count ? "\(PrometheusMetrics.buckets[index])" : "+Inf"
            lines.append(line("\(name)_bucket", (labels.isEmpty ? "" : labels + ",") + "le=\"\(bound)\"", "\(total)"))
        }
        return lines + [line("\(name)_sum", labels, "\(state.sum)"), line("\(name)_count", labels, "\(total)")]
    }
}
