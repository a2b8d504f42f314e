internal import Chirp
internal import ChirpSound
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

/// The same through a pipe, whose writer is slow where the first byte says so.
let pipes = FuzzTarget("pipes") { source in
    // As much as a pipe takes without a reader.
    guard source.rest.count <= 60_000 else { return }
    var ends: [Int32] = [0, 0]
    require(pipe(&ends) == 0, "a pipe can be made")
    defer { close(ends[0]) }
    let bytes = Array(source.rest)
    require(bytes.isEmpty || write(ends[1], bytes, bytes.count) == bytes.count, "the pipe takes it")
    close(ends[1])
    _ = read("/proc/self/fd/\(ends[0])")
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

FuzzTarget.run([files, pipes, raw])
