internal import Chirp
internal import ChirpSound
internal import Dispatch
internal import Foundation
internal import FuzzSupport

/// Reads a sound to its end, or as far as it is worth; tells what it read of it.
@Sendable func read(_ path: String, raw: RawFormat? = nil) -> [Float]? {
    guard let reader = try? AudioFileReader(path: path, raw: raw) else { return nil }
    require(RawFormat.channelCounts.contains(reader.channelCount), "\(reader.channelCount) channels are too many")
    require(reader.sampleRateHertz.isFinite, "\(reader.sampleRateHertz) Hz is a rate")
    require((reader.frameCount ?? 0) >= 0, "\(reader.frameCount ?? 0) frames is a number of frames")
    var block = AudioBlock(channelCount: reader.channelCount)
    var heard: [Float] = []
    while heard.count < 200_000, (try? reader.read(into: &block)) == true {
        require(block.frameCount <= block.capacityFrames, "a block is not overfull")
        for channel in 0..<reader.channelCount { heard += block[channel] }
    }
    require(heard.allSatisfy(\.isFinite), "what is read is sound")
    _ = (reader.flaws, reader.canRewind)
    return heard
}

/// A file without a name with these bytes, by its path, while `body` runs.
@Sendable func withFile<T>(_ bytes: ArraySlice<UInt8>, _ body: (String) -> T) -> T {
    var name = Array("/tmp/chirp-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    require(descriptor >= 0, "a file can be made")
    unlink(name)
    defer { close(descriptor) }
    require(bytes.isEmpty || write(descriptor, Array(bytes), bytes.count) == bytes.count, "it can be written")
    return body("/proc/self/fd/\(descriptor)")
}

let files = FuzzTarget("files") { source in
    withFile(source.rest) { path in _ = read(path) }
}

/// The same through a pipe that holds a page, written in up to a hundred pieces whose lengths the first byte says: whoever reads waits
/// for most of them. What is read is what comes of a pipe that has all at once.
let pipes = FuzzTarget("pipes") { source in
    var source = source
    let cuts = source.byte()
    let bytes = Array(source.rest)
    let heard = readPiped(bytes, cuts: cuts, capacity: 4_096)
    // As much as a pipe takes without a reader.
    guard bytes.count <= 60_000 else { return }
    let atOnce = readPiped(bytes, cuts: nil, capacity: 65_536)
    require(
        heard == atOnce, "of \(bytes.count) bytes \(heard?.count ?? -1) and \(atOnce?.count ?? -1) samples are read")
}

@Sendable func readPiped(_ bytes: [UInt8], cuts: UInt8?, capacity: Int32) -> [Float]? {
    var ends: [Int32] = [0, 0]
    require(pipe(&ends) == 0, "a pipe can be made")
    // F_SETPIPE_SZ, whose header Swift does not import.
    _ = fcntl(ends[1], 1_031, capacity)
    let writer = ends[1]
    let isWritten = DispatchSemaphore(value: 0)
    Thread {
        var rest = bytes[...]
        var state = UInt32(cuts ?? 0)
        while !rest.isEmpty {
            state = state &* 1_664_525 &+ 1_013_904_223
            let piece = cuts.map { rest.prefix(1 + bytes.count / 50 * Int(state >> 24 ^ UInt32($0)) / 128) } ?? rest
            let count = piece.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            // The reader has heard enough.
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        close(writer)
        isWritten.signal()
    }.start()
    let heard = read("/proc/self/fd/\(ends[0])")
    close(ends[0])
    isWritten.wait()
    return heard
}

let raw = FuzzTarget("raw") { source in
    var source = source
    let text = source.text()
    guard let format = try? RawFormat(parsing: text) else { return }
    require(
        (try? RawFormat(
            parsing: "\(format.encoding.rawValue):\(format.sampleRateHertz):\(format.channelCount)")) == format,
        "“\(text)” is read as it is written")
    let rest = source.rest
    withFile(rest) { path in
        let heard = read(path, raw: format)
        let frames = rest.count / (format.encoding.bytesPerSample * format.channelCount)
        guard frames * format.channelCount < 200_000, !rest.isEmpty else { return }
        require(heard?.count == frames * format.channelCount, "every whole frame of “\(text)” is read")
    }
}

// A reader that goes early is not the end of the program.
signal(SIGPIPE, SIG_IGN)
FuzzTarget.run([files, pipes, raw])
