internal import COpenSSL

/// SHA-256 (FIPS 180-4), by OpenSSL.
package enum SHA256 {
    /// The digest of some bytes, 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var context = SHA256_CTX()
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe SHA256_Init(&context)
        unsafe SHA256_Update(&context, bytes, bytes.count)
        unsafe SHA256_Final(&digest, &context)
        return digest
    }

    /// The digest of a text's UTF-8.
    package static func digest(of text: String) -> [UInt8] { digest(of: Array(text.utf8)) }
}
