internal import Chirp

/// A chirp as a picture: time from left to right, a row for each of the 32 tones, a box where one sounds, and under each
/// column its character. Start code and parity are paler than the data between them.
struct TonePicture {
    /// What a column belongs to.
    enum Part: Equatable {
        case start, data, parity
    }

    struct Column: Equatable {
        let symbol: UInt8
        let character: Character
        let part: Part
    }

    let columns: [Column]
    let toneCount: Int
    private let code: Codeword
    private let format: WireFormat

    /// Sizes in pixels, the same in both forms.
    static let columnWidth = 32
    static let rowHeight = 10
    static let margin = 16
    static let textHeight = 40

    init(_ codeword: Codeword, format: WireFormat = .original) {
        self.format = format
        code = codeword
        toneCount = format.toneCount
        let dataRange = format.startCode.count..<format.startCode.count + format.dataSymbolCount
        columns = format.frame(of: codeword).enumerated().map { index, symbol in
            let part: Part = dataRange.contains(index) ? .data : index < dataRange.lowerBound ? .start : .parity
            return Column(symbol: symbol, character: format.alphabet[Int(symbol)], part: part)
        }
    }

    var width: Int { 2 * Self.margin + columns.count * Self.columnWidth }
    var gridHeight: Int { toneCount * Self.rowHeight }
    var height: Int { Self.margin + gridHeight + Self.textHeight }

    /// Left and upper corner of the box of a column.
    func corner(_ index: Int) -> (x: Int, y: Int) {
        (
            Self.margin + index * Self.columnWidth,
            Self.margin + (toneCount - 1 - Int(columns[index].symbol)) * Self.rowHeight
        )
    }

    /// As SVG without style sheet or script.
    var svg: String {
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" width="\#(width)" "#
                + #"height="\#(height)" role="img" font-family="monospace" font-size="20" text-anchor="middle">"#,
            "<title>The tones of \(code.shortcode)\(format == .original ? "" : ", \(format.name)")</title>",
            #"<rect width="\#(width)" height="\#(height)" fill="\#(Ink.paper.hexadecimal)"/>"#,
        ]
        for row in 0...toneCount where row % 4 == 0 {
            let y = Self.margin + row * Self.rowHeight
            lines.append(
                #"<path d="M\#(Self.margin) \#(y)H\#(width - Self.margin)" stroke="\#(Ink.grid.hexadecimal)"/>"#)
        }
        for (index, column) in columns.enumerated() {
            let (x, y) = corner(index)
            let color = Ink(column.part).hexadecimal
            lines.append(
                #"<rect x="\#(x)" y="\#(y)" width="\#(Self.columnWidth)" height="\#(Self.rowHeight)" fill="\#(color)"/>"#
            )
            let (middle, base) = (x + Self.columnWidth / 2, height - 14)
            lines.append(#"<text x="\#(middle)" y="\#(base)" fill="\#(color)">\#(column.character)</text>"#)
        }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// As PNG.
    var png: [UInt8] {
        var canvas = PixelCanvas(width: width, height: height, background: Ink.paper.rawValue)
        for row in 0...toneCount where row % 4 == 0 {
            canvas.fill(
                x: Self.margin, y: Self.margin + row * Self.rowHeight, width: width - 2 * Self.margin, height: 1,
                with: Ink.grid.rawValue)
        }
        let scale = 3
        for (index, column) in columns.enumerated() {
            let (x, y) = corner(index)
            let ink = Ink(column.part).rawValue
            canvas.fill(x: x, y: y, width: Self.columnWidth, height: Self.rowHeight, with: ink)
            let left = x + (Self.columnWidth - TinyFont.width * scale) / 2
            canvas.draw(column.character, x: left, y: height - 32, scale: scale, with: ink)
        }
        return PNGFile.bytes(of: canvas, palette: Ink.allCases.map(\.color))
    }

    /// The colours; raw values are places in a palette.
    enum Ink: UInt8, CaseIterable {
        case paper, grid, start, data, parity

        init(_ part: Part) {
            self =
                switch part {
                case .start: .start
                case .data: .data
                case .parity: .parity
                }
        }

        /// Red, green, blue. The three that letters have contrast with the paper by 4.5 to 1 or more (WCAG 2.2, 1.4.3).
        var color: [UInt8] {
            switch self {
            case .paper: [0x10, 0x18, 0x20]
            case .grid: [0x2A, 0x36, 0x42]
            case .start: [0xF2, 0xA6, 0x3B]
            case .data: [0x5F, 0xD4, 0xA0]
            case .parity: [0x7C, 0x9C, 0xB8]
            }
        }

        var hexadecimal: String {
            "#" + color.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }
}
