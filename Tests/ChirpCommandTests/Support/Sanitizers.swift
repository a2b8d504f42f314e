import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Not under a sanitizer, which needs memory, address space and long files of its own.
    static var withoutSanitizer: Self {
        .enabled(if: ProcessInfo.processInfo.environment["CHIRP_SANITIZE"] == nil)
    }
}
