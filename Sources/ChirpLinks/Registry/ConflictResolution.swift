internal import Chirp

/// What follows when a link could not be inserted because its identity or its code is there: the same for every store.
enum ConflictResolution {
    enum Step: Equatable {
        /// Answer with the record that is there.
        case keep
        /// Put the expiry that is there off, then answer with the record.
        case extend(to: Timestamp?)
        /// Replace the expired record of the same link.
        case revive(code: Shortcode)
        /// Delete the expired record of another link that has the code, then insert again.
        case evict(Shortcode)
        /// Insert again, with another code if it was drawn.
        case retry
        case fail(RegistryError)
    }

    /// How often a code is drawn before the random source must be broken.
    private static let maximumDraws = 32

    /// Tries to insert until an attempt gives a row.
    ///
    /// - Throws: ``RegistryError/noFreeCode(draws:)``, and what an attempt throws.
    static func repeating(_ attempt: () throws -> LinkRow?) throws -> LinkRow {
        for _ in 0..<maximumDraws {
            if let row = try attempt() { return row }
        }
        throw RegistryError.noFreeCode(draws: maximumDraws)
    }

    /// - Parameters:
    ///   - same: the record of the same link, if any.
    ///   - occupant: the record that has the code the insertion tried, if any.
    static func step(
        for draft: LinkDraft, same: LinkRecord?, occupant: LinkRecord?, now: Timestamp
    ) -> Step {
        guard let same else {
            guard let occupant else { return .retry }
            if occupant.isExpired(at: now) { return .evict(occupant.code) }
            return draft.code == nil ? .retry : .fail(.codeTaken(occupant.code))
        }
        if same.isExpired(at: now) {
            guard let code = draft.code, code != same.code else { return .revive(code: same.code) }
            guard let occupant else { return .revive(code: code) }
            return occupant.isExpired(at: now) ? .evict(occupant.code) : .fail(.codeTaken(code))
        }
        if let code = draft.code, code != same.code {
            let isTaken = occupant.map { $0.code == code && !$0.isExpired(at: now) } ?? false
            return .fail(isTaken ? .codeTaken(code) : .linkHasCode(same.code))
        }
        guard let end = same.expires else { return .keep }
        guard let asked = draft.expires else { return .extend(to: nil) }
        return asked > end ? .extend(to: asked) : .keep
    }
}
