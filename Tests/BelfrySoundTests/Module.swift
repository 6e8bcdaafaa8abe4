import Testing

@testable import BelfrySound
