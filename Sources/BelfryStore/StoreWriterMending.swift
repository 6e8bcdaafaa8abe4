import BelfryCore
import BelfrySystem

/// What the operator is to see of the store.
public enum StoreNotice: Sendable {
  /// Nothing can be written, and why.
  case refused(String)
  /// It can again.
  case accepted
  /// Something happened to the file, and what was done.
  case warning(String)
}

/// Damage that shows, and a file that is gone, while the store is in use.
extension StoreWriter {
  /// A file that comes to be damaged again and again is not copied each time.
  private static let betweenRecoveries = 60 * Nanoseconds.second

  func mayRecover(_ error: StoreError) -> Bool {
    guard error.isDamage, store.file.refusal == nil else { return false }
    if let recoveredAt, SystemClock.elapsed() - recoveredAt < Self.betweenRecoveries {
      return false
    }
    return store.isDamaged(error)
  }

  /// Goes on with a fresh store; false: it cannot.
  func recover(_ error: StoreError) -> Bool {
    // Cut under belfryd: what it has in memory is tried first.
    if error.isDamage, store.loss() != nil { return putBack() == nil }
    guard mayRecover(error) else { return false }
    recoveredAt = SystemClock.elapsed()
    do throws(StoreError) {
      let sentence = try store.recover(error)
      notice(.warning(sentence))
      log(.error, sentence)
      return true
    } catch {
      note(error)
      return false
    }
  }

  // MARK: The store's place

  /// Puts them back if they are not; an error if they still are not then.
  func putBack() -> StoreError? {
    guard let loss = store.loss() else {
      isDisplaced = false
      return nil
    }
    do throws(StoreError) {
      let sentence = try store.putBack(loss)
      isDisplaced = false
      notice(.warning(sentence))
      log(.error, sentence)
      return nil
    } catch {
      isDisplaced = true
      return error
    }
  }
}
