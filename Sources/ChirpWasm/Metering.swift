/// A meter of the tones' powers, and what it measured last.
private final class MeterHandle {
    var meter: ToneMeter
    var columns: [SIMD32<Float>] = []

    init(sampleRateHertz: Double, format: WireFormat) {
        meter = ToneMeter(sampleRateHertz: sampleRateHertz, format: format)
    }
}

private func meter(_ handle: UnsafeRawPointer) -> MeterHandle {
    Unmanaged<MeterHandle>.fromOpaque(handle).takeUnretainedValue()
}

@_expose(wasm, "chirp_meter_new")
@_cdecl("chirp_meter_new")
func chirpMeterNew(_ rate: Double, _ format: Int32) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(MeterHandle(sampleRateHertz: rate, format: WireFormat.all[Int(format)])).toOpaque()
}

@_expose(wasm, "chirp_meter_free")
@_cdecl("chirp_meter_free")
func chirpMeterFree(_ handle: UnsafeRawPointer) { Unmanaged<MeterHandle>.fromOpaque(handle).release() }

/// Takes samples; gives back the number of columns that they completed, four in a symbol.
@_expose(wasm, "chirp_meter_process")
@_cdecl("chirp_meter_process")
func chirpMeterProcess(_ handle: UnsafeRawPointer, _ samples: UnsafePointer<Float>, _ count: Int32) -> Int32 {
    let meter = meter(handle)
    meter.columns = meter.meter.process(Array(UnsafeBufferPointer(start: samples, count: Int(count))))
    return Int32(meter.columns.count)
}

/// Writes the mean powers of the 32 tones in one of the columns of the last call.
@_expose(wasm, "chirp_meter_column")
@_cdecl("chirp_meter_column")
func chirpMeterColumn(_ handle: UnsafeRawPointer, _ index: Int32, _ target: UnsafeMutablePointer<Float>) {
    let column = meter(handle).columns[Int(index)]
    for tone in 0..<column.scalarCount { target[tone] = column[tone] }
}
