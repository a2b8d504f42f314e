public import ChirpLinks

/// What messages call each kind of link.
public enum Nouns {
    public static let all: [(kind: LinkKind, noun: String)] = [
        (.user, "user"), (.chart, "chart"), (.url, "address"), (.text, "note"), (.data, "object"), (.file, "file"),
    ]
}
