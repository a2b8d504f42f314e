// Embedded Swift, which WebAssembly is built with, has no asynchronous sequences; the receiver itself needs none.
#if !hasFeature(Embedded)
    extension Receiver {
        /// The chirps in blocks of samples that come one after another, as they come.
        ///
        /// The receiver goes with the sequence, which may be iterated once:
        ///
        ///     let receiver = try Receiver(sampleRateHertz: 44_100)
        ///     for await chirp in receiver.chirps(in: blocks) { print(chirp.shortcode) }
        ///
        /// - Parameter blocks: mono samples at the receiver's rate, in blocks of any size.
        /// - Returns: the chirps in the order in which they were found; the sequence ends with the blocks, and fails as they do.
        public consuming func chirps<Blocks: AsyncSequence>(in blocks: Blocks) -> DetectedChirps<Blocks>
        where Blocks.Element: Sequence<Float> {
            DetectedChirps(blocks: blocks, receiver: self)
        }
    }

    /// The chirps in a sequence of blocks of samples; ``Receiver/chirps(in:)`` makes one.
    public struct DetectedChirps<Blocks: AsyncSequence>: AsyncSequence where Blocks.Element: Sequence<Float> {
        /// What the sequence is made of.
        public typealias Element = DetectedChirp
        /// What the blocks fail with; the sequence adds no error of its own.
        public typealias Failure = Blocks.Failure

        private let blocks: Blocks
        private let state: State

        init(blocks: Blocks, receiver: consuming Receiver) {
            self.blocks = blocks
            state = State(receiver)
        }

        /// Begins to take blocks; for a single iteration.
        public func makeAsyncIterator() -> Iterator { Iterator(blocks: blocks.makeAsyncIterator(), state: state) }

        /// A receiver has one owner, and an iterator can be copied: the copies share it here.
        fileprivate final class State {
            var receiver: Receiver
            /// The next one to be given out is the last.
            var found: [DetectedChirp] = []
            var isFinished = false

            init(_ receiver: consuming Receiver) { self.receiver = receiver }
        }

        /// Takes blocks for as long as there is no chirp to give out.
        public struct Iterator: AsyncIteratorProtocol {
            private var blocks: Blocks.AsyncIterator
            private let state: State

            fileprivate init(blocks: Blocks.AsyncIterator, state: State) {
                self.blocks = blocks
                self.state = state
            }

            /// The next chirp, or nil after the last one.
            public mutating func next() async throws(Blocks.Failure) -> DetectedChirp? {
                try await next(isolation: nil)
            }

            /// The next chirp, or nil after the last one.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(Blocks.Failure) -> DetectedChirp? {
                while state.found.isEmpty, !state.isFinished {
                    do {
                        if let block = try await blocks.next(isolation: actor) {
                            state.found = state.receiver.process(block).reversed()
                        } else {
                            state.isFinished = true
                            state.found = state.receiver.finish().reversed()
                        }
                    } catch {
                        state.isFinished = true
                        throw error
                    }
                }
                return state.found.popLast()
            }
        }
    }

    /// Its state belongs to whoever iterates.
    @available(*, unavailable)
    extension DetectedChirps: Sendable {}

    /// Its state belongs to whoever iterates.
    @available(*, unavailable)
    extension DetectedChirps.Iterator: Sendable {}
#endif
