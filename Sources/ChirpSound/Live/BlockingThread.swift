internal import Foundation

/// A thread of its own for calls that block, so that they hold up nothing else.
package enum BlockingThread {
    /// Runs work that ends by itself.
    ///
    /// - Parameter isUrgent: whether sound breaks off when it runs late. It then goes before everything else, where the
    ///   system lets it (Debian does for members of the group "audio").
    package static func start(name: String, isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            if isUrgent {
                var parameters = sched_param()
                parameters.sched_priority = 5
                _ = unsafe pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
            }
            work()
        }
        thread.name = name
        thread.start()
    }
}
