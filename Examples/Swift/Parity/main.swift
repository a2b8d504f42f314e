// Checks codes that were typed in, and prints what is sent for each: parity-example CODE...
import Chirp

for text in CommandLine.arguments.dropFirst() {
    do {
        let word = try Codeword(parsing: text)
        let pitches = word.frame.map { "\(Int(WireFormat.original.pitchHertz(of: $0).rounded()))" }
        print(word, pitches.joined(separator: " "))
    } catch .parity(let found, let expected) {
        print("\(text): parity is \(found), should be \(expected)")
    } catch {
        print("\(text): is not a code")
    }
}
