internal import CFFTW
internal import Synchronization

/// A real-to-complex discrete Fourier transform of one length, with the buffers it works in.
///
/// Plans are estimated and not measured: a measured plan depends on the machine's load at that moment, and so would the
/// last bits of every result.
///
/// `@unchecked Sendable`: it owns its plan and buffers alone, and they are reached only through its own methods; executing
/// a plan is thread-safe by FFTW's word, and planning is guarded below.
@safe struct FourierTransform: ~Copyable, @unchecked Sendable {
    /// Samples in.
    let length: Int
    /// Complex values out: bins 0 … length / 2.
    let binCount: Int

    private let plan: OpaquePointer
    private let input: UnsafeMutableBufferPointer<Float>
    private let output: UnsafeMutableBufferPointer<Float>

    /// FFTW's planner is not thread-safe (FFTW manual, section 4.1); executing a plan is.
    private static let planner = Mutex(())

    init(length: Int) {
        precondition(length > 1, "a transform has at least two samples")
        let bins = length / 2 + 1
        // FFTW aborts the process itself when memory runs out; the pointers are never null.
        guard let samples = unsafe fftwf_alloc_real(length), let spectrum = unsafe fftwf_alloc_complex(bins) else {
            preconditionFailure("no memory for a transform")
        }
        var created: fftwf_plan?
        Self.planner.withLock { _ in
            unsafe created = fftwf_plan_dft_r2c_1d(Int32(length), samples, spectrum, UInt32(FFTW_ESTIMATE))
        }
        guard let created = unsafe created else { preconditionFailure("no plan for a transform of \(length)") }
        self.length = length
        binCount = bins
        unsafe plan = created
        unsafe input = UnsafeMutableBufferPointer(start: samples, count: length)
        unsafe output = UnsafeMutableBufferPointer(
            start: UnsafeMutableRawPointer(spectrum).assumingMemoryBound(to: Float.self), count: 2 * bins)
        unsafe input.initialize(repeating: 0)
        unsafe output.initialize(repeating: 0)
    }

    deinit {
        Self.planner.withLock { _ in unsafe fftwf_destroy_plan(plan) }
        unsafe fftwf_free(input.baseAddress)
        unsafe fftwf_free(output.baseAddress)
    }

    /// Transforms what `fill` leaves in its span and hands the spectrum to `read`.
    ///
    /// - Parameters:
    ///   - fill: is given `length` samples of undefined content, and sets all of them.
    ///   - read: is given `binCount` complex values, real and imaginary part in turn.
    @inline(__always)
    mutating func execute<Result>(fill: (inout MutableSpan<Float>) -> Void, read: (Span<Float>) -> Result) -> Result {
        var samples = unsafe input.mutableSpan
        fill(&samples)
        unsafe fftwf_execute(plan)
        return unsafe read(output.span)
    }
}
