import Testing

@testable import BelfryWorker
