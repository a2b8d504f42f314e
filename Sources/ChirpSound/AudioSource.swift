/// Sound that is read in blocks as it comes: a file, a pipe, a capture device.
public protocol AudioSource: AnyObject {
    associatedtype Failure: Error

    var sampleRateHertz: Double { get }
    var channelCount: Int { get }

    /// Replaces the content of a block with the next frames, waiting for them when they are not there yet.
    ///
    /// - Parameter block: has the source's channel count; is filled with 1 to `capacityFrames` frames, or with none at the end.
    /// - Returns: false when the sound has ended and the block is empty.
    func read(into block: inout AudioBlock) throws(Failure) -> Bool
}

/// Where sound goes: a file, a pipe, a playback device.
public protocol AudioSink: AnyObject {
    associatedtype Failure: Error

    var sampleRateHertz: Double { get }

    /// Takes the next samples, −1…1, of one channel; a sink with more channels plays them on all.
    func write(_ samples: [Float]) throws(Failure)

    /// Ends the sound: returns when everything is stored or has been heard. Nothing may be written afterwards.
    func finish() throws(Failure)
}
