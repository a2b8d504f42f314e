import ChirpSound
import Testing

@Suite struct AudioBlockTests {
    @Test func `channels are taken apart, and what is not finite becomes silence and is counted`() {
        var block = AudioBlock(channelCount: 2, capacityFrames: 8)
        let interleaved: [Float] = [1, -1, .nan, 0.5, .infinity, -.infinity]
        #expect(block.fill(interleaved: interleaved.span) == 3)
        #expect(block.frameCount == 3)
        #expect(Array(block[0]) == [1, 0, 0])
        #expect(Array(block[1]) == [-1, 0.5, 0])
    }

    @Test(arguments: [1, 2, 6, 64, 1024])
    func `a block takes little memory, whatever number of channels a header claims`(channels: Int) {
        let block = AudioBlock(channelCount: channels)
        #expect(block.capacityFrames >= 64)
        #expect(block.capacityFrames * channels <= max(16_384, 64 * channels))
    }
}
