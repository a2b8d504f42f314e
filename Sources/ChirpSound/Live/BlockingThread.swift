internal import Foundation

/// A thread of its own for calls that block, so that they hold up nothing else.
package enum BlockingThread {
    /// Runs work that ends by itself.
    package static func start(name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.name = name
        thread.start()
    }
}
