private import CSndfile

/// The version of the sound file library in use.
public func soundFileLibraryVersion() -> String { unsafe String(cString: sf_version_string()) }
