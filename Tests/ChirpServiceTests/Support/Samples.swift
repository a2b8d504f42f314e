import Foundation

/// Bytes that are of a file type as far as anybody looks.
enum Sample {
    /// A picture of one transparent pixel.
    static let png = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==")!)
    static let pdf = Array("%PDF-1.4\n%%EOF\n".utf8)
    static let html = Array("<html><script>alert(1)</script></html>".utf8)
    static let svg = Array(#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#.utf8)

    /// A PNG of exactly so many bytes.
    static func png(byteCount: Int) -> [UInt8] { png + [UInt8](repeating: 0, count: byteCount - png.count) }

    /// A `multipart/form-data` body with one file.
    static func multipart(_ content: [UInt8], name: String, boundary: String = "edge") -> [UInt8] {
        Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n".utf8)
            + content + Array("\r\n--\(boundary)--\r\n".utf8)
    }
}
