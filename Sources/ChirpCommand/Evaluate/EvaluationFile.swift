internal import ChirpLab
internal import Foundation

/// Results of an earlier run, as --json printed them.
enum EvaluationFile {
    static func read(path: String) throws -> ExperimentRecord {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw ContentProblem(path: path, cause: error)
        }
        guard let record = try? JSONDecoder().decode(ExperimentRecord.self, from: data) else {
            throw EvaluateError.notResults(path: path)
        }
        return record
    }
}

/// The computer, for records.
enum Machine {
    static var description: String {
        let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return "\(processor ?? "unknown processor"), \(cores) cores"
    }
}
