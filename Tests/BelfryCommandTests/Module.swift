import Testing

@testable import BelfryCommand
