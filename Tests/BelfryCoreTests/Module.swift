import Testing

@testable import BelfryCore
