import Testing

@testable import BelfrySystem
