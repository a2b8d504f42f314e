import Testing

@testable import ChirpSound

@Suite struct MixdownTests {
    @Test func `channels are averaged`() {
        #expect(Mixdown.mean(of: [1, 0, 0.5, 0.5, -1, 1], channelCount: 2) == [0.5, 0.5, 0])
        #expect(Mixdown.mean(of: [1, 2, 3], channelCount: 1) == [1, 2, 3])
    }

    @Test func `a frame that is cut short is left out`() {
        #expect(Mixdown.mean(of: [1, 1, 1], channelCount: 2) == [1])
    }
}
