import BelfryCore
import BelfryWire

/// What supervision needs to know of a message.
extension MessageToChild {
  /// Of a hand-over, which is answered.
  var token: UInt64? {
    switch self {
    case .deliver(let delivery): delivery.token
    case .badge(let token, _, _): token
    case .calendar(let token, _): token
    default: nil
    }
  }

  var isWithdrawal: Bool {
    if case .withdraw = self { true } else { false }
  }

  /// Worth starting the speaker for.
  var isWork: Bool {
    switch self {
    case .deliver, .badge, .prepareSound, .keepAwake: true
    default: false
    }
  }
}

extension ChildSupervisor {
  /// Cannot be sent at all: longer than a packet may be.
  func refuse(_ message: MessageToChild, _ reason: String) {
    note(.error, "a message cannot be sent: \(reason)")
    guard let token = message.token else { return }
    owner.child(self, did: .answered(token: token, .failed(reason: reason)))
  }
}
