internal import ChirpLinks
internal import ChirpReport
internal import Foundation
internal import NIOCore

/// The files that are built into the program.
enum Resource {
    struct Asset: Sendable {
        let body: ByteBuffer
        let type: String
        /// Changes with the content.
        let tag: String
    }

    /// The interface in OpenAPI's form, with the kinds of links and the members of their JSON put in.
    static let description = text(PackageResources.openapi_json)
        .replacing("\"@kinds\"", with: LinkKind.allCases.map { "\"\($0)\"" }.joined(separator: ", "))
        .replacing("\"@members\": {}", with: LinkJSONMember.all.map(\.schema).joined(separator: ", "))
        .replacing("\"@optionalMembers\": {}", with: LinkJSONMember.all.map(\.optionalSchema).joined(separator: ", "))

    static let templates: [String: String] = [
        "albums": text(PackageResources.albums_mustache), "code": text(PackageResources.code_mustache),
        "error": text(PackageResources.error_mustache), "home": text(PackageResources.home_mustache),
        "layout": text(PackageResources.layout_mustache),
    ]

    /// The receiver for browsers, as `make wasm` leaves it beside the program and `make install` in `share/chirp`, and its
    /// name under `/assets/`; nil where neither is.
    static let receiver: (name: String, asset: Asset)? = {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            return nil
        }
        for place in ["chirp.wasm", "../share/chirp/chirp.wasm"] {
            guard let data = try? Data(contentsOf: program.appending(path: place)) else { continue }
            let asset = asset(Array(data), "application/wasm")
            return ("chirp-\(asset.tag).wasm", asset)
        }
        return nil
    }()

    /// By the name under `/assets/`.
    static let assets: [String: Asset] = [
        "app.webmanifest": asset(PackageResources.app_webmanifest, "application/manifest+json"),
        "chirp.d.ts": asset(PackageResources.chirp_d_ts, "text/plain; charset=utf-8"),
        "chirp.js": loading(PackageResources.chirp_js), "decoder.js": script(PackageResources.decoder_js),
        "decoding.js": script(PackageResources.decoding_js),
        "offline.js": loading(PackageResources.offline_js), "waterfall.js": script(PackageResources.waterfall_js),
        "chart.js": script(PackageResources.chart_js),
        "chirp.css": asset(PackageResources.chirp_css, "text/css; charset=utf-8"),
        "code.js": script(PackageResources.code_js), "history.js": script(PackageResources.history_js),
        "home.js": script(PackageResources.home_js), "icon.svg": asset(PackageResources.icon_svg, "image/svg+xml"),
        "icon-192.png": asset(PackageResources.icon_192_png, "image/png"),
        "icon-512.png": asset(PackageResources.icon_512_png, "image/png"),
        "icon-maskable.png": asset(PackageResources.icon_maskable_png, "image/png"),
        "kinds.js": script(PackageResources.kinds_js),
        "listen.js": script(PackageResources.listen_js), "microphone.js": script(PackageResources.microphone_js),
        "pieces.js": script(PackageResources.pieces_js), "play.js": script(PackageResources.play_js),
        "share.js": script(PackageResources.share_js), "soundfile.js": script(PackageResources.soundfile_js),
        "spectrogram.js": script(PackageResources.spectrogram_js),
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A script that loads the receiver by its name.
    private static func loading(_ bytes: [UInt8]) -> Asset {
        var own = text(bytes).replacing("\"chirp.wasm\"", with: "\"\(receiver?.name ?? "")\"")
        if let receiver {
            own = own.replacing("\"./chirp.wasm\"", with: "\"./\(receiver.name)\"")
        } else {
            own = own.replacing("new URL(\"./chirp.wasm\", import.meta.url)", with: "\"\"")
        }
        return script(Array(own.utf8))
    }

    private static func script(_ bytes: [UInt8]) -> Asset { asset(bytes, "text/javascript; charset=utf-8") }

    private static func asset(_ bytes: [UInt8], _ type: String) -> Asset {
        let tag = SHA256.digest(of: bytes).prefix(8).map { String($0, radix: 32) }.joined()
        return Asset(body: ByteBuffer(bytes: bytes), type: type, tag: tag)
    }
}

extension LinkJSONMember {
    /// As a property of an object in OpenAPI's form.
    var schema: String {
        let pattern = pattern.map { ", \"pattern\": \(JSONValue.string($0).text)" } ?? ""
        return "\"\(key)\": {\"type\": \"\(form.rawValue)\"\(pattern)}"
    }

    /// The same where null stands for none.
    fileprivate var optionalSchema: String { "\"\(key)\": {\"type\": [\"\(form.rawValue)\", \"null\"]}" }
}
