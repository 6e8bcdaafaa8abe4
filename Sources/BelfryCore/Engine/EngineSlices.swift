extension SchedulerEngine {
  /// What one slice may cost, in about microseconds of a quick board; a row planned or entered.
  static let sliceBudget = 1024
  static let rowCost = 16

  /// Work waits for its next slice: send `.clock`, after what is due elsewhere.
  public var hasSlicedWork: Bool {
    !slicedWork.isEmpty || pending.preparation.isUnfinished
  }

  /// The request that the next slice is for.
  public var slicedRequest: RequestID? { slicedWork.first?.id }

  /// Begins at once; what is left goes on by `.clock` events, in turns with other work.
  func begin(_ work: SlicedWork, for app: SchedulerApp) {
    var budget = Self.sliceBudget
    app.slicesUnderWay += 1
    let drop = work.drop.map { drop in
      { [unowned(unsafe) self] in
        drop()
        app.slicesUnderWay -= 1
        serve(app)
      }
    }
    let wholly = SlicedWork(work.id, ticket: work.ticket, drop: drop) {
      [unowned(unsafe) self] budget in
      guard work.turn(&budget) else { return false }
      app.slicesUnderWay -= 1
      serve(app)
      return true
    }
    slicedWork.append(wholly)
    if wholly.turn(&budget) { end(wholly) }
  }

  /// One slice of the work whose turn it is.
  func continueSlicedWork() {
    guard let work = slicedWork.first else { return }
    slicedWork.removeFirst()
    slicedWork.append(work)
    var budget = Self.sliceBudget
    if work.turn(&budget) { end(work) }
  }

  /// Whoever made a request has gone: what of it has not reached the store is dropped.
  func abandon(_ id: RequestID) {
    guard let work = slicedWork.first(where: { $0.id == id }), let drop = work.drop else { return }
    slicedWork.removeAll { $0 === work }
    refuse(id, .storeUnavailable(reason: "its client has gone"))
    drop()
  }

  func end(_ work: SlicedWork) {
    slicedWork.removeAll { $0 === work }
    if let ticket = work.ticket {
      storeRequests.endWork(ticket)
      releaseSlots()
    }
  }

  /// Frees what was removed before everything that the store has answered, and that has been taken
  /// to its end.
  func releaseSlots() {
    let open = slicedWork.compactMap { $0.ticket }.min() ?? .max
    pending.release(through: min(storeRequests.lastAnswered, open - 1))
  }
}
