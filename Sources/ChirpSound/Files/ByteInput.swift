internal import CSndfile
internal import Glibc

/// Bytes that the sound file library reads through functions of ours.
protocol ByteInput: AnyObject {
    /// The length that is reported to the library.
    var length: Int { get }
    var position: Int { get set }
    /// Reads at the position and moves on; fewer bytes than asked for, or none, at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}

extension ByteInput {
    /// More than will ever come, and far from overflowing in the library's sums.
    static var unboundedLength: Int { 1 << 60 }
}

/// The object that libsndfile's user data points to.
final class ByteInputBox {
    let input: any ByteInput
    /// Whether the last read came back empty. The position is then told to be the end, wherever that was said to be.
    ///
    /// libsndfile 1.2 takes what it read before for the head of the next chunk when nothing comes, and looks at the position alone to see
    /// whether the file is at its end. It would never get to one that is far behind the last byte: 78 bytes took 19 GB.
    private var isAtEnd = false

    init(_ input: any ByteInput) { self.input = input }

    private static func box(_ data: UnsafeMutableRawPointer?) -> ByteInputBox? {
        unsafe data.map { unsafe Unmanaged<ByteInputBox>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func input(_ data: UnsafeMutableRawPointer?) -> (any ByteInput)? { unsafe box(data)?.input }

    /// The functions of SF_VIRTUAL_IO, as libsndfile's documentation of sf_open_virtual describes them.
    static var operations: SF_VIRTUAL_IO {
        unsafe SF_VIRTUAL_IO(
            get_filelen: { data in unsafe sf_count_t(ByteInputBox.input(data)?.length ?? 0) },
            seek: { offset, whence, data in
                guard let box = unsafe ByteInputBox.box(data) else { return -1 }
                let input = box.input
                let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? input.position : input.length
                // Offsets may come from a header: neither overflow nor negative places.
                let (place, overflow) = base.addingReportingOverflow(Int(offset))
                guard !overflow, place >= 0 else { return -1 }
                input.position = place
                if whence == SEEK_SET { box.isAtEnd = false }
                return sf_count_t(place)
            },
            read: { buffer, count, data in
                guard let box = unsafe ByteInputBox.box(data), count > 0 else { return 0 }
                let got = unsafe box.input.read(into: .init(start: buffer, count: Int(count)))
                box.isAtEnd = got == 0
                return sf_count_t(got)
            },
            write: { _, _, _ in 0 },
            tell: { data in
                guard let box = unsafe ByteInputBox.box(data) else { return 0 }
                return sf_count_t(box.isAtEnd ? max(box.input.length, box.input.position) : box.input.position)
            })
    }
}
