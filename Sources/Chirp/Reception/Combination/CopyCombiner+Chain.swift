extension CopyCombiner {
    /// Copies at equal distance, the newest first, by the blocks with which they start.
    struct Chain: Sendable {
        /// Of each copy in each channel, the channels of a copy in a row.
        var places: [Double]
        /// Logarithm of the likelihood ratio of some chirp to none.
        var frameLLR: Float
        /// The distance at which they were looked for, in blocks.
        var lag = 0

        /// Whether another is at about the same distance.
        func isLike(_ other: Self) -> Bool { abs(lag - other.lag) <= CopyCombiner.likeDistances }

        /// Places at equal distances, as near to some as can be (least squares): what one copy by itself says about its place is off by a block
        /// or two.
        private struct Line {
            let mean: Double
            let spacing: Double
            let middle: Double

            init(count: Int, _ place: (_ copy: Int) -> Double) {
                middle = Double(count - 1) / 2
                mean = (0..<count).reduce(0) { $0 + place($1) } / Double(count)
                var (slope, squares) = (0.0, 0.0)
                for copy in 0..<count {
                    slope += (Double(copy) - middle) * (place(copy) - mean)
                    squares += (Double(copy) - middle) * (Double(copy) - middle)
                }
                spacing = squares > 0 ? slope / squares : 0
            }

            subscript(copy: Int) -> Double { mean + spacing * (Double(copy) - middle) }
        }

        /// Places on the line through some.
        static func evenPlaces(near places: [Double]) -> [Double] {
            let line = Line(count: places.count) { places[$0] }
            return places.indices.map { line[$0] }
        }

        /// Where a copy newer than some at about equal distances is expected, and an older one.
        static func placesBeyond(_ places: [Int]) -> (newer: Int, older: Int) {
            let even = Line(count: places.count) { Double(places[$0]) }
            let last = places.count - 1
            return (Int((2 * even[0] - even[1]).rounded()), Int((2 * even[last] - even[last - 1]).rounded()))
        }

        /// Places at equal distances, with the same delays between the channels of each.
        static func evenPlaces(near places: [Double], channelCount: Int) -> [Double] {
            let copyCount = places.count / channelCount
            var means = [Double](repeating: 0, count: copyCount)
            for index in places.indices { means[index / channelCount] += places[index] / Double(channelCount) }
            var offsets = [Double](repeating: 0, count: channelCount)
            for index in places.indices {
                offsets[index % channelCount] += (places[index] - means[index / channelCount]) / Double(copyCount)
            }
            means = evenPlaces(near: means)
            var even = places
            for index in places.indices { even[index] = means[index / channelCount] + offsets[index % channelCount] }
            return even
        }
    }

    /// Copies that may go on.
    struct Track {
        /// The newest first.
        let places: [Int]
        let llr: Float
        /// Where the next is expected.
        let next: Int

        init(_ places: [Int], llr: Float) {
            self.places = places
            self.llr = llr
            next = Chain.placesBeyond(places).newer
        }

        /// Whether another is of about the same copies.
        func isLike(_ other: Self) -> Bool {
            abs(places[0] - other.places[0]) <= 1 && abs(next - other.next) <= CopyCombiner.likeDistances
        }
    }
}
