import Testing

@testable import BelfryWire
