import Testing

@testable import BelfryServer
