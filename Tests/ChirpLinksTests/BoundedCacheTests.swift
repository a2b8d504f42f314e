import Testing

@testable import ChirpLinks

@Suite struct BoundedCacheTests {
    @Test(arguments: [1, 2, 3, 100]) func `a full cache has the latest values, each under its own key`(capacity: Int) {
        var cache = BoundedCache<Int, String>(capacity: capacity)
        for key in 0..<250 {
            cache.insert("value \(key)", for: key)
            for other in 0...key {
                #expect(cache[other] == (other > key - capacity ? "value \(other)" : nil))
            }
        }
    }

    @Test func `a value that is replaced takes no further room`() {
        var cache = BoundedCache<String, Int>(capacity: 2)
        cache.insert(1, for: "first")
        cache.insert(2, for: "second")
        for value in 3...9 { cache.insert(value, for: "first") }
        #expect(cache["first"] == 9)
        #expect(cache["second"] == 2)
        cache.insert(10, for: "third")
        #expect(cache["first"] == nil)
        #expect(cache["second"] == 2)
        #expect(cache["third"] == 10)
    }
}
