import BelfryCore
