// The only place where a build with FFTW and one without it, for WebAssembly, differ.
#if canImport(CFFTW)
    internal import CFFTW

    /// A forward complex transform of one length, with the buffers it works in: FFTW's.
    ///
    /// Plans are estimated and not measured, as a measured plan depends on the machine's load at that moment, and so would
    /// the last bits of every result.
    ///
    /// `@unchecked Sendable`: it owns its plan and buffers alone; executing a plan is thread-safe by FFTW's word, and
    /// planning is made so below.
    @safe struct ComplexTransform: ~Copyable, @unchecked Sendable {
        /// Real and imaginary parts in turn.
        let input: UnsafeMutableBufferPointer<Float>
        /// Real and imaginary parts in turn, and room for one value more.
        let output: UnsafeMutableBufferPointer<Float>
        private let plan: OpaquePointer

        /// FFTW has one planner for the whole process, which a program around this library may use as well, and which is
        /// not thread-safe unless this is asked for (FFTW manual, section 5.4).
        private static let threadSafePlanner: Void = fftwf_make_planner_thread_safe()

        init(length: Int) {
            // FFTW aborts the process itself when memory runs out; the pointers are never null.
            guard let samples = unsafe fftwf_alloc_complex(length),
                let spectrum = unsafe fftwf_alloc_complex(length + 1)
            else { preconditionFailure("no memory for a transform") }
            _ = Self.threadSafePlanner
            let created = unsafe fftwf_plan_dft_1d(
                Int32(length), samples, spectrum, FFTW_FORWARD, UInt32(FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT))
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
            unsafe fftwf_destroy_plan(plan)
            unsafe fftwf_free(input.baseAddress)
            unsafe fftwf_free(output.baseAddress)
        }

        func execute() { unsafe fftwf_execute(plan) }
    }
#else
    typealias ComplexTransform = StockhamTransform
#endif
