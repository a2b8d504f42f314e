internal import CCurl
internal import Glibc

/// The functions of libcurl, which is loaded with the first request, as libpq is: two dozen libraries come with it.
///
/// Names and types are those of curl/curl.h (<https://curl.se/libcurl/c/>) without their prefix.
@safe struct CurlLibrary: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias Strings = UnsafeMutablePointer<curl_slist>

    let easyInit: @convention(c) @Sendable () -> Handle?
    let easyCleanup: @convention(c) @Sendable (Handle?) -> Void
    let easyStrerror: @convention(c) @Sendable (CURLcode) -> UnsafePointer<CChar>?
    let slistAppend: @convention(c) @Sendable (Strings?, UnsafePointer<CChar>) -> Strings?
    let slistFreeAll: @convention(c) @Sendable (Strings?) -> Void
    let multiInit: @convention(c) @Sendable () -> Handle?
    let multiAddHandle: @convention(c) @Sendable (Handle?, Handle?) -> CURLMcode
    let multiRemoveHandle: @convention(c) @Sendable (Handle?, Handle?) -> CURLMcode
    let multiPerform: @convention(c) @Sendable (Handle?, UnsafeMutablePointer<Int32>) -> CURLMcode
    let multiPoll:
        @convention(c) @Sendable (
            Handle?, UnsafeMutablePointer<curl_waitfd>?, UInt32, Int32, UnsafeMutablePointer<Int32>?
        ) -> CURLMcode
    let multiWakeup: @convention(c) @Sendable (Handle?) -> CURLMcode
    let multiInfoRead: @convention(c) @Sendable (Handle?, UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<CURLMsg>?
    /// Variadic functions, which the shim calls.
    private nonisolated(unsafe) let easySetopt: UnsafeMutableRawPointer
    private nonisolated(unsafe) let easyGetinfo: UnsafeMutableRawPointer

    /// Loaded once, and never unloaded.
    private static let loaded = Result { () throws(WebFailure) in
        // The second name is that of Debian's other build, with GnuTLS.
        do throws(WebFailure) { return try CurlLibrary(named: "libcurl.so.4") } catch {
            let first = error
            do throws(WebFailure) { return try CurlLibrary(named: "libcurl-gnutls.so.4") } catch { throw first }
        }
    }

    /// The library of this system.
    ///
    /// - Throws: when it is not installed.
    static func load() throws(WebFailure) -> CurlLibrary { try loaded.get() }

    private init(named file: String) throws(WebFailure) {
        guard let library = unsafe dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
            throw .library(unsafe dlerror().map { unsafe String(cString: $0) } ?? file)
        }
        func address(_ name: String) throws(WebFailure) -> UnsafeMutableRawPointer {
            guard let address = unsafe dlsym(library, name) else { throw .library("\(file) has no \(name)") }
            return unsafe address
        }
        func function<Function>(_ name: String) throws(WebFailure) -> Function {
            unsafe unsafeBitCast(try address(name), to: Function.self)
        }
        try unsafe easyInit = unsafe function("curl_easy_init")
        try unsafe easyCleanup = unsafe function("curl_easy_cleanup")
        try unsafe easyStrerror = unsafe function("curl_easy_strerror")
        try unsafe slistAppend = unsafe function("curl_slist_append")
        try unsafe slistFreeAll = unsafe function("curl_slist_free_all")
        try unsafe multiInit = unsafe function("curl_multi_init")
        try unsafe multiAddHandle = unsafe function("curl_multi_add_handle")
        try unsafe multiRemoveHandle = unsafe function("curl_multi_remove_handle")
        try unsafe multiPerform = unsafe function("curl_multi_perform")
        try unsafe multiPoll = unsafe function("curl_multi_poll")
        try unsafe multiWakeup = unsafe function("curl_multi_wakeup")
        try unsafe multiInfoRead = unsafe function("curl_multi_info_read")
        try unsafe easySetopt = unsafe address("curl_easy_setopt")
        try unsafe easyGetinfo = unsafe address("curl_easy_getinfo")
        let globalInit: @convention(c) (Int) -> CURLcode = try function("curl_global_init")
        guard globalInit(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { throw .library("\(file) does not start") }
    }

    func set(_ handle: Handle, _ option: CURLoption, _ value: Int) {
        _ = unsafe chirp_curl_set_long(easySetopt, handle, option, value)
    }

    /// Sets an option to a text, which is copied.
    func set(_ handle: Handle, _ option: CURLoption, _ text: String) {
        _ = unsafe text.withCString { unsafe chirp_curl_set_pointer(easySetopt, handle, option, $0) }
    }

    /// Sets an option to a place that outlives the transfer.
    func set(_ handle: Handle, _ option: CURLoption, _ pointer: UnsafeRawPointer) {
        _ = unsafe chirp_curl_set_pointer(easySetopt, handle, option, pointer)
    }

    func set(_ handle: Handle, _ option: CURLoption, _ callback: curl_write_callback) {
        _ = unsafe chirp_curl_set_callback(easySetopt, handle, option, callback)
    }

    func long(_ handle: Handle, _ info: CURLINFO) -> Int {
        var value = 0
        _ = unsafe chirp_curl_get_long(easyGetinfo, handle, info, &value)
        return value
    }

    func pointer(_ handle: Handle, _ info: CURLINFO) -> UnsafeMutableRawPointer? {
        var value: UnsafeMutableRawPointer?
        _ = unsafe chirp_curl_get_pointer(easyGetinfo, handle, info, &value)
        return unsafe value
    }
}

extension WebFailure {
    /// libcurl is missing, or not what it should be.
    fileprivate static func library(_ reason: String) -> WebFailure {
        WebFailure(.other, "the library for HTTP cannot be loaded (package libcurl4): \(reason)")
    }
}
