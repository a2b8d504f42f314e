internal import ArgumentParser

/// The value of an option that turns something on or off.
enum OnOff: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
}
