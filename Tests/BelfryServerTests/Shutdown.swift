import Foundation

/// shutdown(2) of the writing half, which no program of ours needs.
func clientShutDownWriting(_ raw: Int32) {
  _ = shutdown(raw, Int32(SHUT_WR))
}
