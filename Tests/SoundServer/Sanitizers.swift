import Foundation

/// Whether these tests and the programs that they run were built with a sanitizer, which makes them slow, needs memory and address space of
/// its own, and keeps for a while what was freed.
package let isSanitized = ProcessInfo.processInfo.environment["CHIRP_SANITIZE"] != nil
