/// A receiver in an array, which takes values that can be copied, as receivers cannot.
///
/// `@unchecked Sendable`: a box is shared by receivers of which one owns the other alone, and the outer one has one owner itself.
final class ReceiverBox<Value: ~Copyable & Sendable>: @unchecked Sendable {
    var receiver: Value

    init(_ receiver: consuming Value) { self.receiver = receiver }
}
