internal import RealModule

extension Room {
    /// The reflection with which the images' energies decay by 60 dB in the time asked for, as T20 is measured (from −5
    /// to −25 dB of Schroeder's integral, JASA 37, 1965, times three).
    ///
    /// Eyring's formula (JASA 1, 1930) supposes a diffuse field, which the images of a box are not: with it a room of
    /// 1.0 s rang for 1.2 s. (Lehmann and Johansson, JASA 124, 2008, find the same.) It is where the search begins.
    static func reflection(size: SIMD3<Double>, reverberationSeconds: Double) -> Double {
        let volume = size.x * size.y * size.z
        let surface = 2 * (size.x * size.y + size.y * size.z + size.z * size.x)
        let eyring = Double.exp(-12 * Double.log(10) * volume / (speedOfSound * surface * reverberationSeconds))
        let decay = ImageEnergies(size: size, seconds: 0.8 * reverberationSeconds)
        // Absorption −ln β is scaled, geometrically between half and four times Eyring's.
        var (low, high) = (0.5, 4.0)
        for _ in 0..<20 {
            let middle = (low * high).squareRoot()
            if decay.reverberationSeconds(reflection: Double.pow(eyring, middle)) > reverberationSeconds {
                low = middle
            } else {
                high = middle
            }
        }
        return Double.pow(eyring, (low * high).squareRoot())
    }
}

/// Energies of the images of one source at one microphone, sorted by arrival time and number of reflections.
private struct ImageEnergies {
    private let binSeconds = 0.005
    private let binCount: Int
    private let orders: Int
    /// `energy[bin * orders + reflections]` with walls that reflect everything.
    private let energy: [Double]

    init(size: SIMD3<Double>, seconds: Double) {
        let reach = seconds * Room.speedOfSound
        let (source, microphone) = (size * [0.3, 0.4, 0.45], size * [0.65, 0.7, 0.6])
        let axes = (0..<3).map {
            Room.images(length: size[$0], source: source[$0], microphone: microphone[$0], reach: reach)
        }
        orders = 1 + axes.map { $0.map(\.reflections).max() ?? 0 }.reduce(0, +)
        binCount = Int((seconds / binSeconds).rounded(.up))
        var energy = [Double](repeating: 0, count: binCount * orders)
        for x in axes[0] {
            for y in axes[1] {
                let plane = x.offset * x.offset + y.offset * y.offset
                guard plane < reach * reach else { continue }
                for z in axes[2] {
                    let square = plane + z.offset * z.offset
                    guard square < reach * reach else { continue }
                    let bin = min(Int(square.squareRoot() / Room.speedOfSound / binSeconds), binCount - 1)
                    energy[bin * orders + x.reflections + y.reflections + z.reflections] += 1 / square
                }
            }
        }
        self.energy = energy
    }

    func reverberationSeconds(reflection: Double) -> Double {
        let powers = (0..<orders).map { Double.pow(reflection * reflection, $0) }
        var remaining = 0.0
        var integral = [Double](repeating: 0, count: binCount)
        for bin in (0..<binCount).reversed() {
            for order in 0..<orders { remaining += energy[bin * orders + order] * powers[order] }
            integral[bin] = remaining
        }
        func moment(_ decibels: Double) -> Double {
            let level = integral[0] * .powerRatio(decibels: decibels)
            guard let bin = integral.firstIndex(where: { $0 < level }), bin > 0 else {
                return Double(binCount) * binSeconds
            }
            // Straight between bins in decibels.
            let (before, after) = (Double.log(integral[bin - 1]), Double.log(integral[bin]))
            return (Double(bin - 1) + (before - Double.log(level)) / (before - after)) * binSeconds
        }
        return 3 * (moment(-25) - moment(-5))
    }
}
