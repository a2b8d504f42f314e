internal import CFuzzer
internal import Foundation

/// One entry of the program and what has to hold of it for any bytes; what does not hold ends the process.
public struct FuzzTarget: Sendable {
    public let name: String
    let check: @Sendable (ByteSource) -> Void

    public init(_ name: String, _ check: @escaping @Sendable (ByteSource) -> Void) {
        self.name = name
        self.check = check
    }

    /// Hands the process over to libFuzzer: `PROGRAM TARGET [libFuzzer's arguments]`.
    public static func run(_ targets: [FuzzTarget]) -> Never {
        let wanted = CommandLine.arguments.dropFirst().first
        guard let target = targets.first(where: { $0.name == wanted }) else {
            let names = targets.map(\.name).joined(separator: " ")
            FileHandle.standardError.write(Data("targets: \(names)\n".utf8))
            exit(64)
        }
        unsafe current = target
        // libFuzzer does not see the target's name.
        var arguments = unsafe UnsafeMutableBufferPointer(
            start: CommandLine.unsafeArgv, count: Int(CommandLine.argc) + 1)
        unsafe arguments[1] = arguments[0]
        unsafe arguments = UnsafeMutableBufferPointer(rebasing: arguments[1...])
        var count = CommandLine.argc - 1
        var start = arguments.baseAddress
        let status = unsafe LLVMFuzzerRunDriver(&count, &start) { bytes, count in
            let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
            unsafe FuzzTarget.current?.check(ByteSource(input))
            return 0
        }
        exit(status)
    }

    /// libFuzzer's callback is given nothing but the bytes. Written once, before it is called.
    nonisolated(unsafe) private static var current: FuzzTarget?
}

/// Ends the process when something that has to hold does not.
public func require(_ holds: Bool, _ claim: @autoclosure () -> String) {
    guard !holds else { return }
    FileHandle.standardError.write(Data("does not hold: \(claim())\n".utf8))
    abort()
}
