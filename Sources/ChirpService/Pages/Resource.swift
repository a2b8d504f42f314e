internal import Crypto
internal import NIOCore

/// The files that are built into the program.
enum Resource {
    struct Asset: Sendable {
        let body: ByteBuffer
        let type: String
        /// Changes with the content.
        let tag: String
    }

    static let description = text(PackageResources.openapi_json)

    static let templates: [String: String] = [
        "albums": text(PackageResources.albums_mustache), "code": text(PackageResources.code_mustache),
        "error": text(PackageResources.error_mustache), "home": text(PackageResources.home_mustache),
        "layout": text(PackageResources.layout_mustache),
    ]

    /// By the name under `/assets/`.
    static let assets: [String: Asset] = [
        "chart.js": script(PackageResources.chart_js),
        "chirp.css": asset(PackageResources.chirp_css, "text/css; charset=utf-8"),
        "code.js": script(PackageResources.code_js), "history.js": script(PackageResources.history_js),
        "home.js": script(PackageResources.home_js), "icon.svg": asset(PackageResources.icon_svg, "image/svg+xml"),
        "listen.js": script(PackageResources.listen_js), "microphone.js": script(PackageResources.microphone_js),
        "pieces.js": script(PackageResources.pieces_js), "play.js": script(PackageResources.play_js),
        "share.js": script(PackageResources.share_js), "spectrogram.js": script(PackageResources.spectrogram_js),
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func script(_ bytes: [UInt8]) -> Asset { asset(bytes, "text/javascript; charset=utf-8") }

    private static func asset(_ bytes: [UInt8], _ type: String) -> Asset {
        let tag = SHA256.hash(data: bytes).prefix(8).map { String($0, radix: 32) }.joined()
        return Asset(body: ByteBuffer(bytes: bytes), type: type, tag: tag)
    }
}
