import BelfryCore

/// A region and a fix as JSON.
enum RegionCodec {
  /// What has its default is left out; names are in order of their bytes.
  static func encode(_ region: CircularRegion) -> JSONObject {
    var object = JSONObject()
    object.add("identifier", region.identifier)
    object.append("latitude", .double(region.latitude))
    object.append("longitude", .double(region.longitude))
    if !region.notifyOnEntry { object.append("notifyOnEntry", .boolean(false)) }
    if !region.notifyOnExit { object.append("notifyOnExit", .boolean(false)) }
    object.append("radius", .double(region.radius))
    return object
  }

  /// Ranges are for `Notification.validated()` to judge; other shapes than a circle have other
  /// members, and so are refused.
  static func decode(_ value: JSONValue, field: String) throws(FieldError) -> CircularRegion {
    guard case .object(let object) = value else {
      throw FieldError(field, .wrongType, "a region is an object, not \(value.kind)")
    }
    let members = try MemberReader(
      object, of: "a circular region",
      known: [
        "identifier", "latitude", "longitude", "notifyOnEntry", "notifyOnExit", "radius",
      ], prefix: field + ".")
    return CircularRegion(
      identifier: try members.optionalText("identifier"),
      latitude: try members.number("latitude"), longitude: try members.number("longitude"),
      radius: try members.number("radius"),
      notifyOnEntry: try members.optionalBoolean("notifyOnEntry") ?? true,
      notifyOnExit: try members.optionalBoolean("notifyOnExit") ?? true)
  }
}
