internal import RealModule

/// Random bits from a seed, the same on every machine: xoshiro256** (Blackman and Vigna, "Scrambled Linear
/// Pseudorandom Number Generators", ACM TOMS 47, 2021), its state filled by SplitMix64 as its authors advise.
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    public init(seed: UInt64) {
        var mixer = SplitMix64(state: seed)
        state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
    }

    /// A stream of its own for trial `index` of a named experiment: independent of which others run, and in what order.
    public init(seed: UInt64, name: String, index: Int) {
        // FNV-1a, 64 bits.
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        var mixer = SplitMix64(state: seed)
        let first = mixer.next() ^ hash
        mixer = SplitMix64(state: first)
        self.init(seed: mixer.next() ^ UInt64(bitPattern: Int64(index)))
    }

    @inline(__always)
    public mutating func next() -> UInt64 {
        let multiplied = state.1 &* 5
        let result = ((multiplied << 7) | (multiplied >> 57)) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = (state.3 << 45) | (state.3 >> 19)
        return result
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
