internal import Foundation

/// What a running process has taken so far, from /proc (proc(5)).
struct ProcessUse {
    let processorSeconds: Double
    let residentBytes: Int

    init?(_ process: Int32) {
        let path = "/proc/\(process)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        // The second field, a name, may hold anything; those after its closing bracket are numbers, from the third on.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
        let numbers = Array(fields)
        guard numbers.count > 21, let user = Double(numbers[11]), let system = Double(numbers[12]),
            let pages = Int(numbers[21])
        else { return nil }
        processorSeconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
