import ChirpService
import Testing

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("10.0.0.0/8", "10.255.0.1", true),
        ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "192.0.2.200", true), ("0.0.0.0/0", "8.8.8.8", true),
        ("2001:db8::/32", "2001:db8:1::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("127.0.0.1", "::ffff:127.0.0.1", true), ("::/0", "127.0.0.1", false),
        ("10.0.0.0/8", "localhost", false),
    ])
    func `a range contains the addresses that begin alike`(range: String, address: String, isInside: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address) == isInside)
    }

    @Test(arguments: ["", "all", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "::1/129", "10.0.0.0/8/8", "10.0.0.0/x"])
    func `what is no address is no range`(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
