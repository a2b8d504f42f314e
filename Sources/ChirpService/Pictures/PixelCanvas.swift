/// A picture of one byte a pixel, each a place in a palette.
struct PixelCanvas {
    let width: Int
    let height: Int
    /// Row by row, from the top.
    private(set) var pixels: [UInt8]

    init(width: Int, height: Int, background: UInt8) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: background, count: width * height)
    }

    /// Fills a rectangle; what lies outside is left out.
    mutating func fill(x: Int, y: Int, width: Int, height: Int, with ink: UInt8) {
        let columns = max(x, 0)..<max(min(x + width, self.width), max(x, 0))
        for row in max(y, 0)..<max(min(y + height, self.height), max(y, 0)) {
            for column in columns { pixels[row * self.width + column] = ink }
        }
    }

    /// Draws a character of the chirp alphabet.
    mutating func draw(_ character: Character, x: Int, y: Int, scale: Int, with ink: UInt8) {
        for (row, bits) in (TinyFont.rows[character] ?? []).enumerated() {
            for column in 0..<TinyFont.width where bits >> (TinyFont.width - 1 - column) & 1 == 1 {
                fill(x: x + column * scale, y: y + row * scale, width: scale, height: scale, with: ink)
            }
        }
    }
}
