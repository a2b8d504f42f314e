import Foundation
import Glibc

/// What a server answered.
struct Answer {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as a JSON object; empty when it is none.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}

/// A connection to a server on this machine: what is sent is exactly what the test says.
final class Connection {
    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ doing: String) { description = "\(doing): \(String(cString: strerror(errno)))" }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []
    private(set) var isAtEnd = false

    /// - Parameters:
    ///   - patience: the longest that a read or write may take, in seconds.
    ///   - receiveBytes: what the system takes for it before it is read; nil for the system's choice.
    init(port: Int, patience: Int = 60, receiveBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // All is initialised, so that the end of this object closes the descriptor: a second time would close somebody else's.
        guard status == 0 else { throw Failure("connect") }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure("send") }
            done += count
        }
    }

    /// Says that nothing more will be sent.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next answer, or nil when the server closed the connection without one.
    ///
    /// - Parameter pause: microseconds before each piece of the body is read, of 64 KB at most.
    func answer(toHead: Bool = false, pause: useconds_t = 0) throws -> Answer? {
        let gap = Array("\r\n\r\n".utf8)
        var headEnd: Int?
        while true {
            headEnd = received.firstRange(of: gap)?.lowerBound
            if headEnd != nil { break }
            guard try receive() else { return nil }
        }
        guard let headEnd else { return nil }
        let lines = String(decoding: received[..<headEnd], as: UTF8.self).components(separatedBy: "\r\n")
        var answer = Answer()
        answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        answer.headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.dropFirst().joined().trimmingCharacters(in: .whitespaces))
        }
        received.removeFirst(headEnd + gap.count)
        let length = toHead ? 0 : Int(answer["Content-Length"] ?? "0") ?? 0
        while received.count < length {
            usleep(pause)
            guard try receive() else { throw Failure("the answer breaks off") }
        }
        answer.body = Array(received.prefix(length))
        received.removeFirst(length)
        return answer
    }

    /// Waits until the server closes the connection; whatever comes until then is dropped.
    func waitForEnd() throws { while try receive() {} }

    private func receive() throws -> Bool {
        guard !isAtEnd else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        repeat { count = recv(descriptor, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        if count < 0, errno == ECONNRESET {
            isAtEnd = true
            return false
        }
        guard count >= 0 else { throw Failure("receive") }
        isAtEnd = count == 0
        received += buffer.prefix(count)
        return count > 0
    }
}
