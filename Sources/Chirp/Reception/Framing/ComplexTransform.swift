// The only place where a build with FFTW and one without it, for WebAssembly, differ.
#if canImport(CFFTW)
    internal import CFFTW
    internal import Synchronization

    /// A forward complex transform of one length, with the buffers it works in: FFTW's.
    ///
    /// Plans are estimated and not measured, as a measured plan depends on the machine's load at that moment, and so would
    /// the last bits of every result.
    ///
    /// `@unchecked Sendable`: it owns its plan and buffers alone; executing a plan is thread-safe by FFTW's word, and
    /// planning is guarded below.
    @safe struct ComplexTransform: ~Copyable, @unchecked Sendable {
        /// Real and imaginary parts in turn.
        let input: UnsafeMutableBufferPointer<Float>
        /// Real and imaginary parts in turn, and room for one value more.
        let output: UnsafeMutableBufferPointer<Float>
        private let plan: OpaquePointer

        /// FFTW's planner is not thread-safe (FFTW manual, section 4.1); executing a plan is.
        private static let planner = Mutex(())

        init(length: Int) {
            // FFTW aborts the process itself when memory runs out; the pointers are never null.
            guard let samples = unsafe fftwf_alloc_complex(length),
                let spectrum = unsafe fftwf_alloc_complex(length + 1)
            else { preconditionFailure("no memory for a transform") }
            var created: fftwf_plan?
            Self.planner.withLock { _ in
                unsafe created = fftwf_plan_dft_1d(
                    Int32(length), samples, spectrum, FFTW_FORWARD, UInt32(FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT))
            }
            guard let created = unsafe created else { preconditionFailure("no plan for a transform of \(length)") }
            unsafe plan = created
            unsafe input = Self.floats(samples, count: 2 * length)
            unsafe output = Self.floats(spectrum, count: 2 * length + 2)
        }

        private static func floats(_ values: UnsafeMutablePointer<fftwf_complex>, count: Int)
            -> UnsafeMutableBufferPointer<Float>
        {
            let buffer = unsafe UnsafeMutableBufferPointer(
                start: UnsafeMutableRawPointer(values).assumingMemoryBound(to: Float.self), count: count)
            unsafe buffer.initialize(repeating: 0)
            return unsafe buffer
        }

        deinit {
            Self.planner.withLock { _ in unsafe fftwf_destroy_plan(plan) }
            unsafe fftwf_free(input.baseAddress)
            unsafe fftwf_free(output.baseAddress)
        }

        func execute() { unsafe fftwf_execute(plan) }
    }
#else
    typealias ComplexTransform = StockhamTransform
#endif
