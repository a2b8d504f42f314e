internal import ChirpLab
internal import ChirpPictures

extension ExperimentRecord {
    /// The sweep and the bounds beside it.
    var recoveryCurves: [RecoveryPicture.Curve] {
        func curve(_ name: String, _ style: RecoveryPicture.Style, _ points: [(Double, Proportion)])
            -> RecoveryPicture.Curve
        {
            .init(
                name: name, style: style,
                points: points.sorted { $0.0 < $1.0 }.map {
                    .init(x: $0.0, share: $0.1.share, interval: $0.1.wilsonInterval)
                })
        }
        let measured = curve(
            "this receiver, arrival time unknown", .measured,
            rows.compactMap { row in row.snrDecibels.map { ($0, row.recovered) } })
        guard !bounds.isEmpty else { return [measured] }
        return [
            curve("maximum-likelihood bound", .limit, bounds.map { ($0.snrDecibels, $0.maximumLikelihood) }),
            curve(
                "ordered statistics, 1761 patterns", .bound(1), bounds.map { ($0.snrDecibels, $0.orderedStatistics) }),
            curve(
                "generalised minimum distance", .bound(2),
                bounds.map { ($0.snrDecibels, $0.generalisedMinimumDistance) }),
            curve("hard decisions, 4 errors", .bound(3), bounds.map { ($0.snrDecibels, $0.hard) }),
            measured,
        ]
    }

    var plotTitle: String { "Chirps recovered, \(chirpsPerRow) a point, 95 % intervals, seed \(seed)" }
}
