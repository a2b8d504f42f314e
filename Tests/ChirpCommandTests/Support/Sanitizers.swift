import SoundServer
import Testing

extension Trait where Self == ConditionTrait {
    /// Not under a sanitizer, which needs memory, address space and long files of its own.
    static var withoutSanitizer: Self { .enabled(if: !isSanitized) }
}
