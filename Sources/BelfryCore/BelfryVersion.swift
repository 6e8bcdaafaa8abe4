/// The version of Belfry, which every program and the host of a plugin give.
public enum BelfryVersion {
  public static let text = "0.2.0"
}
