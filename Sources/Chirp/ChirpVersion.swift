/// The version of the project: of the library, the command and the packages made from them.
public enum ChirpVersion {
    /// As Semantic Versioning 2.0.0 writes it.
    public static let current = "1.0.0"
}
