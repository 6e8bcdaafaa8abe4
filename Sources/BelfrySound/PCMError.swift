import BelfryCore
import CALSA

/// What ALSA refused.
struct PCMError: Error, Hashable {
  /// A negative errno, or one of libasound's own.
  var status: Int32
  var operation: String

  init(_ status: Int32, _ operation: String) {
    self.status = status
    self.operation = operation
  }

  var isBusy: Bool { status == CALSA_BUSY || status == CALSA_AGAIN }

  /// Operation and reason, such as `open: Device or resource busy`.
  var text: String {
    "\(operation): \(snd_strerror(status).map { String(cString: $0) } ?? "error \(status)")"
  }
}

/// Passes a result of libasound's on, or throws it as an error of `operation`.
@discardableResult
func checkPCM(_ status: Int32, _ operation: StaticString) throws(PCMError) -> Int32 {
  if status < 0 { throw PCMError(status, operation.description) }
  return status
}
