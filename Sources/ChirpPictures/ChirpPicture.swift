public import Chirp
internal import RealModule

/// A spectrogram with the grid of the 32 tones, each decoded chirp boxed and its symbols lettered.
public struct ChirpPicture: Picture, Sendable {
    private let spectrogram: ToneSpectrogram
    private let chirps: [DetectedChirp]
    private let title: String

    /// - Parameters:
    ///   - spectrogram: of the whole sound, finished.
    ///   - chirps: what was decoded in it.
    public init(_ spectrogram: ToneSpectrogram, chirps: [DetectedChirp], title: String) {
        self.spectrogram = spectrogram
        self.chirps = chirps
        self.title = title
    }

    public var size: (width: Int, height: Int) { (1_200, 720) }

    /// Powers in decibels, column by column.
    public var data: [Float] {
        spectrogram.power.flatMap { column in column.map { 10 * Float.log10(max($0, 1e-14)) } }
    }

    public var script: String {
        let format = spectrogram.format
        let (columns, rows) = (spectrogram.power.count, ToneSpectrogram.rowCount(format))
        let loudest = spectrogram.power.reduce(0) { max($0, $1.max() ?? 0) }
        let top = 10 * Double.log10(max(Double(loudest), 1e-14))
        // The floor that is drawn black: a little below the middle of all powers, at most 70 dB down.
        let sorted = data.sorted()
        let middle = sorted.isEmpty ? top : Double(sorted[sorted.count / 2])
        let bottom = max(top - 70, min(middle - 3, top - 20))
        let characters = format.alphabet.enumerated().map { "'\($1)' \($0)" }.joined(separator: ", ")
        let low = ToneSpectrogram.place(ofRow: 0)
        let kilohertz = Self.kilohertz.compactMap { value -> String? in
            let place = format.place(ofHertz: value * 1_000)
            guard place >= low, place <= -low + Double(format.toneCount - 1) else { return nil }
            return "'\(value == value.rounded() ? String(Int(value)) : String(value))' \(place)"
        }.joined(separator: ", ")
        return """
            set title \(Gnuplot.quoted(title)) noenhanced
            set xlabel 'seconds'
            set ylabel 'symbol'
            set y2label 'kHz'
            set xrange [0:\(max(spectrogram.durationSeconds, 0.1))]
            set yrange [\(low):\(-low + Double(format.toneCount - 1))]
            set y2range [\(low):\(-low + Double(format.toneCount - 1))]
            set xtics out nomirror
            set ytics out nomirror font ',10' (\(characters))
            set y2tics out font ',10' (\(kilohertz))
            set cbrange [\(bottom):\(top)]
            set palette defined (0 '#05040f', 0.35 '#2c1160', 0.6 '#8c2981', 0.8 '#de4968', 0.93 '#fe9f6d', 1 '#fcfdbf')
            unset colorbox
            set grid front noxtics ytics lc rgb '#d0ffffff' lt 1 lw 0.4
            \(chirps.enumerated().map(annotation).joined(separator: "\n"))
            plot '-' binary array=(\(columns),\(rows)) format='%float' scan=yx \
            dx=\(spectrogram.columnSeconds) dy=\(1 / Double(ToneSpectrogram.rowsPerTone)) \
            origin=(\(spectrogram.columnSeconds / 2),\(low)) with image notitle
            """
    }

    /// What is written beside the picture, where it is within.
    private static let kilohertz =
        [0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 11] + [17.5, 18, 18.5, 19, 19.5]

    /// Width of the plotting area, about.
    private static let plotWidth = 1_080.0

    /// A box round a chirp, its code above or below, and a letter on each symbol where there is space.
    private func annotation(index: Int, chirp: DetectedChirp) -> String {
        let format = spectrogram.format
        let symbols = format.frame(of: chirp.codeword)
        let (start, length) = (chirp.startSeconds, chirp.durationSeconds)
        // How far the pitches at which it was played lie above the nominal ones, in tones; at the middle of the scale.
        let middle = Double(format.toneCount / 2)
        let shift =
            format.place(ofHertz: format.pitchHertz(at: middle) * Double.exp2(chirp.tuningCents / 1_200)) - middle
        let pixelsPerSymbol =
            Self.plotWidth * length / Double(symbols.count) / max(spectrogram.durationSeconds, 0.1)
        var lines = [
            "set object \(index + 1) rectangle from \(start),\(-1 + shift) to \(start + length),\(Double(format.toneCount) + shift) "
                + "front fs empty border rgb '#40e0d0' lw 1.6"
        ]
        if pixelsPerSymbol * Double(symbols.count) > 50 {
            // Of two at the same time the second has its code below.
            let sharing = chirps[..<index].count { abs($0.startSeconds - start) < min($0.durationSeconds, length) }
            let edge =
                sharing.isMultiple(of: 2)
                ? "\(Double(format.toneCount) + shift - 0.1) center offset 0,0.5"
                : "\(-0.9 + shift) center offset 0,-0.5"
            lines.append(
                "set label '\(chirp.shortcode)' at \(start + length / 2),\(edge) "
                    + "front tc rgb '#40e0d0' font ',12' noenhanced")
        }
        guard pixelsPerSymbol > 9 else { return lines.joined(separator: "\n") }
        let size = min(15, Int(pixelsPerSymbol * 0.9))
        for (position, symbol) in symbols.enumerated() {
            let time = start + (Double(position) + 0.5) * length / Double(symbols.count)
            lines.append(
                "set label '\(format.text(of: [symbol]))' at \(time),\(Double(symbol) + shift) center offset 0,0.9 front "
                    + "tc rgb 'white' font 'DejaVu Sans Bold,\(size)' noenhanced")
        }
        return lines.joined(separator: "\n")
    }
}
