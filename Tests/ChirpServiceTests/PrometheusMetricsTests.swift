import CoreMetrics
import Testing

@testable import ChirpService

@Suite struct PrometheusMetricsTests {
    @Test func `a name and its labels are one series, and labels are escaped`() {
        let metrics = PrometheusMetrics()
        metrics.describe("a_total", "Things.")
        for _ in 0..<2 { Counter(label: "a_total", dimensions: [("x", "1\"\\\n")], factory: metrics).increment() }
        Counter(label: "a_total", dimensions: [("x", "0")], factory: metrics).increment(by: 5)
        #expect(
            metrics.text == """
                # HELP a_total Things.
                # TYPE a_total counter
                a_total{x="0"} 5
                a_total{x="1\\"\\\\\\n"} 2

                """)
    }

    @Test func `buckets of a histogram count everything up to their bound`() {
        let metrics = PrometheusMetrics()
        let timer = CoreMetrics.Timer(label: "t", dimensions: [("route", "/")], factory: metrics)
        for seconds in [0.001, 0.2, 1_000] { timer.recordNanoseconds(Int64(seconds * 1e9)) }
        let text = metrics.text
        #expect(text.contains("t_bucket{route=\"/\",le=\"0.0005\"} 0\n"))
        #expect(text.contains("t_bucket{route=\"/\",le=\"0.001\"} 1\n"))
        #expect(text.contains("t_bucket{route=\"/\",le=\"0.25\"} 2\n"))
        #expect(text.contains("t_bucket{route=\"/\",le=\"60.0\"} 2\n"))
        #expect(text.contains("t_bucket{route=\"/\",le=\"+Inf\"} 3\n"))
        #expect(text.contains("t_count{route=\"/\"} 3\n"))
    }
}
