extension [UInt8] {
  /// A text without the mark that some editors put before UTF-8 (Unicode, 23.8), which says nothing.
  public var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? self[3...] : self[...]
  }
}
