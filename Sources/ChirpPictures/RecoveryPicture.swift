/// Share of chirps recovered against signal-to-noise ratio, with intervals, beside bounds.
public struct RecoveryPicture: Picture, Sendable {
    public enum Style: Sendable, Hashable {
        /// A receiver's, with points and intervals.
        case measured
        /// The maximum-likelihood bound.
        case limit
        /// Some decoder's bound, numbered from 1.
        case bound(Int)
    }

    public struct Point: Sendable, Hashable {
        /// In decibels.
        public let x: Double
        public let share: Double
        public let interval: ClosedRange<Double>

        public init(x: Double, share: Double, interval: ClosedRange<Double>) {
            self.x = x
            self.share = share
            self.interval = interval
        }
    }

    public struct Curve: Sendable, Hashable {
        public let name: String
        public let style: Style
        public let points: [Point]

        public init(name: String, style: Style, points: [Point]) {
            self.name = name
            self.style = style
            self.points = points
        }
    }

    private let curves: [Curve]
    private let title: String

    public init(_ curves: [Curve], title: String) {
        self.curves = curves
        self.title = title
    }

    public var size: (width: Int, height: Int) { (900, 600) }
    public var data: [Float] { [] }

    public var script: String {
        let blocks = curves.enumerated().map { index, curve in
            let lines = curve.points.map {
                "\($0.x) \(100 * $0.share) \(100 * $0.interval.lowerBound) \(100 * $0.interval.upperBound)"
            }
            return "$curve\(index) << END\n" + lines.joined(separator: "\n") + "\nEND"
        }
        let plots = curves.enumerated().map { index, curve in
            let name = Gnuplot.quoted(curve.name)
            return switch curve.style {
            case .measured:
                "$curve\(index) using 1:2:3:4 with yerrorlines lw 2.5 pt 7 ps 0.8 lc rgb '#c0392b' title \(name)"
            case .limit: "$curve\(index) using 1:2 with lines lw 2 dt 2 lc rgb '#222222' title \(name)"
            case .bound(let number):
                "$curve\(index) using 1:2 with lines lw 1.8 lc rgb '\(Self.colours[(number - 1) % Self.colours.count])' title \(name)"
            }
        }
        return """
            \(blocks.joined(separator: "\n"))
            set minussign
            set title \(Gnuplot.quoted(title)) noenhanced
            set xlabel 'signal-to-noise ratio over the whole band at 44.1 kHz, dB'
            set ylabel 'recovered, %'
            set yrange [0:102]
            set ytics 10
            set offsets graph 0.02, graph 0.02, 0, 0
            set grid lc rgb '#dddddd' lt 1 lw 0.8
            set border lc rgb '#555555'
            set key below height 1 maxcols 2 noenhanced samplen 3
            plot \(plots.joined(separator: ", \\\n    "))
            """
    }

    private static let colours = ["#2471a3", "#17a589", "#b7950b"]
}
