import Testing

@testable import BelfryStore
