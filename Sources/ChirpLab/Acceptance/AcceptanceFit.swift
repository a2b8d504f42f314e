package import Chirp
internal import RealModule

/// Fits the acceptance model to labelled readings by the greatest likelihood.
package enum AcceptanceFit {
    /// Steps of Newton's method; it converges in about ten.
    private static let steps = 25
    /// Weight of the penalty on large weights, which leaves those of rare features near zero.
    private static let ridge = 1e-4

    /// How much a reading counts where no chirp was sent: as four hours of it for each that was listened to, as much as a receiver of all
    /// days has of it.
    private static let weightWithoutChirps = 4.0

    private typealias Values = SIMD16<Double>

    /// The weights of greatest likelihood: iteratively reweighted least squares (McCullagh & Nelder, "Generalized linear models", 2nd
    /// edition, 1989, section 4.4). Features are divided by their standard deviations before. Readings in steady noise, whose odds need no
    /// weights, are left out.
    package static func fit(_ readings: [LabelledReading]) -> AcceptanceModel {
        let readings = readings.filter { !$0.features.isMarginal }
        precondition(!readings.isEmpty, "a model is fitted to something")
        let rows = readings.map { Values($0.features.values) }
        let scale = scale(of: rows)
        let scaled = rows.map { $0 / scale }
        var weights = Values()
        for _ in 0..<steps {
            var gradient = Values()
            var information = [Values](repeating: Values(), count: 16)
            for (values, reading) in zip(scaled, readings) {
                let weight = reading.isOfTrial ? 1 : weightWithoutChirps
                let probability = 1 / (1 + Double.exp(-(values * weights).sum()))
                gradient += values * (weight * ((reading.isRight ? 1 : 0) - probability))
                let weighed = values * (weight * probability * (1 - probability))
                for place in AcceptanceFeatures.names.indices { information[place] += weighed * values[place] }
            }
            let penalty = ridge * Double(rows.count)
            // The first is the constant, and has none.
            for place in 0..<16 { information[place][place] += place == 0 ? 1e-9 : penalty }
            var restrained = weights
            restrained[0] = 0
            weights += solution(of: information, gradient - restrained * penalty)
        }
        return AcceptanceModel(weights: SIMD16<Float>(weights / scale))
    }

    /// The standard deviation of each feature; one where it is the same throughout.
    private static func scale(of rows: [Values]) -> Values {
        let mean = rows.reduce(Values(), +) / Double(rows.count)
        let variance = rows.reduce(Values()) { $0 + ($1 - mean) * ($1 - mean) } / Double(rows.count)
        var scale = Values(repeating: 1)
        for place in 0..<16 where variance[place] > 1e-9 { scale[place] = variance[place].squareRoot() }
        return scale
    }

    /// Solves a positive definite system by elimination.
    private static func solution(of rows: [Values], _ right: Values) -> Values {
        var (rows, right) = (rows, right)
        for pivot in 0..<16 {
            let inverse = 1 / rows[pivot][pivot]
            rows[pivot] *= inverse
            right[pivot] *= inverse
            for other in 0..<16 where other != pivot {
                let factor = rows[other][pivot]
                rows[other] -= rows[pivot] * factor
                right[other] -= right[pivot] * factor
            }
        }
        return right
    }

    /// Mean loss, in nats: minus the logarithm of the probability that the model gives to what is true.
    package static func loss(_ readings: [LabelledReading], _ model: AcceptanceModel) -> Double {
        readings.reduce(0) { sum, reading in
            let logOdds = Double(model.logOdds(reading.features))
            return sum + Double.log(1 + Double.exp(reading.isRight ? -logOdds : logOdds))
        } / Double(max(1, readings.count))
    }

    /// Readings whose odds lie between two values.
    package struct CalibrationBin: Sendable {
        package var logOdds: ClosedRange<Float>
        package var count: Int
        /// Share that the model says is right, and share that is.
        package var predicted: Double
        package var right: Double
    }

    private static let edges: [Float] = [-100, -6, -4, -2, -1, 0, 1, 2, 3, 4, 6, 100]

    /// How often readings of some odds are right.
    package static func calibration(_ readings: [LabelledReading], _ model: AcceptanceModel) -> [CalibrationBin] {
        let odds = readings.map { (logOdds: model.logOdds($0.features), isRight: $0.isRight) }
        return zip(edges, edges.dropFirst()).compactMap { low, high in
            let own = odds.filter { $0.logOdds > low && $0.logOdds <= high }
            guard !own.isEmpty else { return nil }
            return CalibrationBin(
                logOdds: low...high, count: own.count,
                predicted: own.reduce(0) { $0 + 1 / (1 + Double.exp(-Double($1.logOdds))) } / Double(own.count),
                right: Double(own.count { $0.isRight }) / Double(own.count))
        }
    }
}
