internal import CCurl
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// Requests that libcurl makes, all on one thread, which sleeps while there are none; connections stay open for the next ones.
@safe final class CurlTransfers: Sendable {
    /// What the thread is asked to do.
    private struct Orders {
        var started: [Transfer] = []
        var cancelled: [Transfer] = []
    }

    private let curl: CurlLibrary
    private nonisolated(unsafe) let multi: CurlLibrary.Handle
    private let orders = Mutex(Orders())

    /// Lives as long as the process.
    private static let loaded = Result { () throws(WebFailure) in try CurlTransfers() }

    /// The thread of this process.
    ///
    /// - Throws: when libcurl is not installed.
    static func shared() throws(WebFailure) -> CurlTransfers { try loaded.get() }

    private init() throws(WebFailure) {
        curl = try CurlLibrary.load()
        guard let multi = unsafe curl.multiInit() else { throw WebFailure(.other, "no memory for a request") }
        unsafe self.multi = unsafe multi
        Thread.detachNewThread { [self] in run() }
    }

    /// Sends a request and reads the whole answer. Cancelling the task ends it with a failure.
    func send(_ request: WebRequest) async throws(WebFailure) -> WebAnswer {
        guard let transfer = Transfer(request, curl) else { throw WebFailure(.other, "no memory for a request") }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.continuation = continuation
                order { orders in
                    orders.started.append(transfer)
                    // It may have been cancelled before it was ordered.
                    if Task.isCancelled { orders.cancelled.append(transfer) }
                }
            }
        } onCancel: {
            order { $0.cancelled.append(transfer) }
        }
        return try result.get()
    }

    private func order(_ change: (inout sending Orders) -> Void) {
        orders.withLock { change(&$0) }
        _ = unsafe curl.multiWakeup(multi)
    }

    // MARK: - The thread

    private func run() {
        var transfers: [ObjectIdentifier: Transfer] = [:]
        while true {
            let now = ContinuousClock.now
            let waits = transfers.values.map { now.duration(to: $0.deadline) / .milliseconds(1) }
            let wait = min(waits.min() ?? 3_600_000, 3_600_000)
            _ = unsafe curl.multiPoll(multi, nil, 0, Int32(max(0, wait.rounded(.up))), nil)
            takeOrders(&transfers)
            var runningCount: Int32 = 0
            _ = unsafe curl.multiPerform(multi, &runningCount)
            endFinished(&transfers)
            for transfer in transfers.values where transfer.deadline <= .now {
                end(transfer, .failure(WebFailure(.timeout, "no answer in time")), &transfers)
            }
        }
    }

    private func takeOrders(_ transfers: inout [ObjectIdentifier: Transfer]) {
        let orders = orders.withLock { orders in
            defer { orders = Orders() }
            return orders
        }
        for transfer in orders.started {
            transfers[ObjectIdentifier(transfer)] = transfer
            _ = unsafe curl.multiAddHandle(multi, transfer.handle)
        }
        for transfer in orders.cancelled where transfers[ObjectIdentifier(transfer)] != nil {
            end(transfer, .failure(WebFailure(.cancelled, "cancelled")), &transfers)
        }
    }

    private func endFinished(_ transfers: inout [ObjectIdentifier: Transfer]) {
        var waitingCount: Int32 = 0
        while let message = unsafe curl.multiInfoRead(multi, &waitingCount) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle,
                let transfer = transfers.values.first(where: { unsafe $0.handle == handle })
            else { continue }
            end(transfer, transfer.result(unsafe chirp_curl_result(message)), &transfers)
        }
    }

    private func end(
        _ transfer: Transfer, _ result: Result<WebAnswer, WebFailure>, _ transfers: inout [ObjectIdentifier: Transfer]
    ) {
        // Who waits is answered first: the handle of a host name that is being looked up keeps an older libcurl for seconds.
        transfer.continuation?.resume(returning: result)
        transfer.continuation = nil
        _ = unsafe curl.multiRemoveHandle(multi, transfer.handle)
        transfer.close()
        transfers[ObjectIdentifier(transfer)] = nil
    }
}

/// A request and what has come of its answer.
///
/// `@unchecked Sendable`: once it is ordered, the thread of ``CurlTransfers`` alone touches it.
@safe private final class Transfer: @unchecked Sendable {
    let handle: CurlLibrary.Handle
    var continuation: CheckedContinuation<Result<WebAnswer, WebFailure>, Never>?
    private let curl: CurlLibrary
    private let fields: CurlLibrary.Strings?
    private let byteLimit: Int
    private let start = ContinuousClock.now
    private let timeout: Duration
    private let headTimeout: Duration
    /// libcurl's words for what failed.
    private let problem: UnsafeMutablePointer<CChar>
    /// The last answer's: those before it were redirections.
    private var status = 0
    private var headers: [(name: String, value: String)] = []
    private var hasHead = false
    private var body: [UInt8] = []
    private var isTooLong = false

    /// When it has taken too long.
    var deadline: ContinuousClock.Instant { start + (hasHead ? timeout : min(headTimeout, timeout)) }

    init?(_ request: WebRequest, _ curl: CurlLibrary) {
        guard let handle = unsafe curl.easyInit() else { return nil }
        unsafe self.handle = unsafe handle
        self.curl = curl
        byteLimit = request.byteLimit
        timeout = request.timeout
        headTimeout = request.headTimeout
        unsafe problem = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe problem.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        // A body of more than a megabyte would otherwise wait for the server's leave.
        let lines = request.headers.map { "\($0.0): \($0.1)" } + ["Expect:"]
        unsafe fields = unsafe lines.reduce(nil) { unsafe curl.slistAppend($0, $1) }
        setOptions(request)
    }

    /// Ends the use of the handle, which belongs to the thread.
    func close() { unsafe curl.easyCleanup(handle) }

    deinit {
        unsafe curl.slistFreeAll(fields)
        unsafe problem.deallocate()
    }

    private func setOptions(_ request: WebRequest) {
        unsafe curl.set(handle, CURLOPT_URL, request.url)
        unsafe curl.set(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe curl.set(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        unsafe curl.set(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        unsafe curl.set(handle, CURLOPT_FOLLOWLOCATION, 1)
        unsafe curl.set(handle, CURLOPT_MAXREDIRS, 5)
        // What is posted to an address that has moved, as from http to https, is posted to the new one.
        unsafe curl.set(
            handle, CURLOPT_POSTREDIR, Int(CURL_REDIR_POST_301 | CURL_REDIR_POST_302 | CURL_REDIR_POST_303))
        unsafe curl.set(handle, CURLOPT_CONNECTTIMEOUT_MS, 5000)
        // When a look-up of the host's name is given up, its thread is left to end by itself, however long the system's resolver
        // takes. Otherwise libcurl waits for it, and so do all other requests. libcurl has the option since 7.87.
        unsafe curl.set(handle, CURLOPT_QUICK_EXIT, 1)
        unsafe curl.set(handle, CURLOPT_NOSIGNAL, 1)
        // What a proxy says to the wish for a tunnel is not the answer.
        unsafe curl.set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        unsafe curl.set(handle, CURLOPT_USERAGENT, WebClient.userAgent)
        unsafe curl.set(handle, CURLOPT_ERRORBUFFER, UnsafeRawPointer(problem))
        if let fields = unsafe fields { unsafe curl.set(handle, CURLOPT_HTTPHEADER, UnsafeRawPointer(fields)) }
        if let body = request.body {
            unsafe curl.set(handle, CURLOPT_POST, 1)
            unsafe curl.set(handle, CURLOPT_POSTFIELDSIZE, body.count)
            unsafe body.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe curl.set(handle, CURLOPT_COPYPOSTFIELDS, start)
            }
        }
        if request.method.rawValue != (request.body == nil ? "GET" : "POST") {
            unsafe curl.set(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        let this = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        unsafe curl.set(handle, CURLOPT_HEADERDATA, this)
        unsafe curl.set(handle, CURLOPT_WRITEDATA, this)
        unsafe curl.set(handle, CURLOPT_HEADERFUNCTION) { line, size, count, transfer in
            unsafe Transfer.at(transfer)?.takeHeader(UnsafeRawBufferPointer(start: line, count: size * count)) ?? 0
        }
        unsafe curl.set(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
            unsafe Transfer.at(transfer)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        unsafe pointer.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes a line of an answer's head: its status, a header, or the empty line after them.
    ///
    /// - Returns: how many bytes were taken.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        let line = unsafe String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            headers = []
            body = []
        } else if line.isEmpty {
            let isRedirection = (300...399).contains(status) && headers.contains { $0.name == "location" }
            hasHead = status >= 200 && !isRedirection
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers.append((line[..<colon].lowercased(), value))
        }
        return bytes.count
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        isTooLong = body.count + bytes.count > byteLimit
        guard !isTooLong else { return 0 }
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    /// What came of it.
    func result(_ code: CURLcode) -> Result<WebAnswer, WebFailure> {
        if code == CURLE_OK { return .success(WebAnswer(status: status, headers: headers, body: body)) }
        if isTooLong { return .failure(WebFailure(.other, "the answer is too long")) }
        let words = unsafe String(cString: problem)
        let name = unsafe curl.easyStrerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
        let errorNumber = unsafe curl.long(handle, CURLINFO_OS_ERRNO)
        return .failure(WebFailure(code, errorNumber: Int32(errorNumber), words: words.isEmpty ? name : words))
    }
}

extension WebFailure {
    fileprivate init(_ code: CURLcode, errorNumber: Int32, words: String) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self.init(.timeout, "no answer in time")
        case CURLE_COULDNT_RESOLVE_HOST: self.init(.unreachable, "the host name cannot be resolved")
        case CURLE_COULDNT_RESOLVE_PROXY: self.init(.unreachable, "the proxy's host name cannot be resolved")
        case CURLE_COULDNT_CONNECT:
            let cause = unsafe errorNumber == 0 ? nil : strerror(errorNumber).map { unsafe String(cString: $0) }
            self.init(.unreachable, cause?.lowercased() ?? "no connection")
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
            self.init(.interrupted, "the connection broke")
        case CURLE_PEER_FAILED_VERIFICATION where words.contains("match"):
            self.init(.other, "its certificate is another host's")
        case CURLE_PEER_FAILED_VERIFICATION: self.init(.other, "its certificate is not one that this machine trusts")
        case CURLE_SSL_CONNECT_ERROR where words.contains("wrong version number"):
            self.init(.other, "it does not speak TLS, as addresses with https do")
        case CURLE_SSL_CONNECT_ERROR: self.init(.other, "no encrypted connection: \(words)")
        case CURLE_TOO_MANY_REDIRECTS: self.init(.other, "it redirects too often")
        default: self.init(.other, words)
        }
    }
}
