internal import ArgumentParser

/// Evaluates the value of an option, and turns an error into wrong usage: status 64 and the usage line.
func validated<T>(_ value: () throws -> T) throws -> T {
    do {
        return try value()
    } catch {
        throw ValidationError(userMessage(for: error))
    }
}
