extension SchedulerEngine {
  /// What one slice may cost, in about microseconds of a quick board; a row planned or entered.
  static let sliceBudget = 1024
  static let rowCost = 16

  /// Work waits for its next slice: send `.clock`, after what is due elsewhere.
  public var hasSlicedWork: Bool {
    !slices.isEmpty || pending.preparation.isUnfinished || isFiring
  }

  /// The request that the last `.clock` did a slice for; nil: it did none.
  public var slicedRequest: RequestID? { slices.lastRequest }

  /// Begins at once; what is left goes on by `.clock` events, in turns with other work.
  func begin(_ work: SlicedWork, for app: SchedulerApp) {
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
    start(wholly, of: app.owner)
  }

  /// Its first slice is now.
  func start(_ work: SlicedWork, of uid: UInt32) {
    slices.add(work, of: uid)
    var budget = Self.sliceBudget
    if work.turn(&budget) { end(work) }
  }

  /// One slice of the work whose turn it is.
  func continueSlicedWork() {
    guard let work = slices.next() else { return slices.noteClockOnly() }
    var budget = Self.sliceBudget
    if work.turn(&budget) { end(work) }
  }

  /// Whoever made a request has gone: what of it has not reached the store is dropped.
  func abandon(_ id: RequestID) {
    if let work = slices.droppable(id), let drop = work.drop {
      slices.remove(work)
      drop()
    } else if !slices.drop(id) {
      return
    }
    refuse(id, .storeUnavailable(reason: "its client has gone"))
  }

  func end(_ work: SlicedWork) {
    slices.remove(work)
    if let ticket = work.ticket {
      storeRequests.endWork(ticket)
      releaseSlots()
    }
  }

  /// Frees what was removed before everything that the store has answered, and that has been taken
  /// to its end.
  func releaseSlots() {
    pending.release(through: storeRequests.firstOpen - 1)
  }

  /// Whose turn it takes in the store: the uid of who has the app; below zero: nobody's.
  public func user(of operation: StoreOperation) -> Int64 {
    switch operation {
    case .question(.load(let slots)): user(of: slots.first.map { pending[$0].app })
    case .question(let question): user(of: question.app)
    case .change(.registerApp(let app)): Int64(app.owner)
    case .change(let change): user(of: change.app)
    case .record(.noteCritical(let owner, _)): Int64(owner)
    case .record(let record): user(of: record.app)
    }
  }

  private func user(of app: AppNumber?) -> Int64 {
    app.flatMap { apps[$0] }.map { Int64($0.owner) } ?? -1
  }
}
