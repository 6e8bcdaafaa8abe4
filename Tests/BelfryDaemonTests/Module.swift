import Testing

@testable import BelfryDaemon
