/// What one user has waiting at one urgency, in order. Taking the first, and putting one at either end,
/// takes constant time on average; what stands between is found by halving.
struct WaitingLine<Element> {
  /// A place without an element has been passed.
  private var items: [(order: Int64, element: Element?)] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }
  var first: Element? { isEmpty ? nil : items[head].element }

  func forEach(_ body: (Int64, Element) -> Void) {
    for item in items[head...] {
      if let element = item.element { body(item.order, element) }
    }
  }

  /// `order` is that of no other in this line.
  mutating func insert(_ element: Element, order: Int64) {
    let place = place(of: order)
    if place == head, head > 0 {
      head -= 1
      items[head] = (order, element)
    } else {
      items.insert((order, element), at: place)
    }
  }

  mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = items[head].element
    items[head].element = nil
    head += 1
    if head == items.count || head >= 32 && head * 2 >= items.count {
      items.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func remove(order: Int64) -> Element? {
    let place = place(of: order)
    guard place < items.count, items[place].order == order else { return nil }
    return place == head ? removeFirst() : items.remove(at: place).element
  }

  /// The first that does not stand before `order`.
  private func place(of order: Int64) -> Int {
    guard let last = items.last, last.order >= order else { return items.count }
    var low = head
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
