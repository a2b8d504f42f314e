import Foundation
import Testing

@testable import ChirpLab

/// Seconds in which the energy still to come falls from −5 to −25 dB, times three (T20 of ISO 3382-2): Schroeder's
/// backward integration, JASA 37, 1965.
func reverberationSeconds(of response: [Float], sampleRateHertz: Double) -> Double {
    var remaining = 0.0
    let decay =
        response.reversed().map { sample -> Double in
            remaining += Double(sample) * Double(sample)
            return remaining
        }.reversed() as [Double]
    func moment(_ decibels: Double) -> Int {
        decay.firstIndex { $0 < decay[0] * pow(10, decibels / 10) } ?? decay.count
    }
    return 3 * Double(moment(-25) - moment(-5)) / sampleRateHertz
}

@Test(arguments: [(0.6, 3.0), (1.0, 3.0), (1.0, 4.5), (1.5, 4.0)])
func `a room rings for as long as was asked`(seconds: Double, metres: Double) throws {
    var random = RandomSource(seed: 5)
    let room = Room(reverberationSeconds: seconds)
    let measured = try (0..<4).map { _ in
        let response = try #require(
            room.randomImpulseResponse(distanceMetres: metres, sampleRateHertz: 44_100, using: &random))
        var sound = Sound(samples: response, sampleRateHertz: 44_100, chirpPower: 1, chirpSpan: response.indices)
        Filter(lowHertz: 1_700, highHertz: 11_000, sampleRateHertz: 44_100).pass(&sound, using: &random)
        return reverberationSeconds(of: sound.samples, sampleRateHertz: 44_100)
    }
    let mean = measured.reduce(0, +) / 4
    #expect(abs(mean / seconds - 1) < 0.08)
}
