import BelfryCore
import BelfrySystem
import BelfryWire

/// belfry.conf as found on disk.
public struct LoadedConfiguration: Sendable {
  public var configuration: DaemonConfiguration
  /// Why it was not loaded though it is there (A3); nil: it was, or there is none.
  public var distrust: String?
  /// There is such a file.
  public var isThere = true

  /// Reads and judges the file; none is the configuration without a file. Blocks on the disk.
  ///
  /// One that others than its owner can write is not loaded (A3). What cannot be read or has a
  /// mistake is a failure of status `configuration`.
  public static func load(
    _ path: String, uid: UInt32
  ) throws(StartFailure) -> LoadedConfiguration {
    var bytes: [UInt8] = []
    var distrust: String?
    var isThere = true
    do throws(SystemError) {
      let file = try Files.open(path, .read)
      distrust =
        ChildProgram.distrust(try Files.status(of: file), path: path, uid: uid)
        ?? Trust.problem(above: path, owners: [uid])
      if distrust == nil { bytes = try Files.read(file, path: path, limit: INIFile.limit) }
    } catch {
      guard error.code == SystemError.noEntry else {
        throw StartFailure(.configuration, "belfryd: \(error.text)")
      }
      isThere = false
    }
    do throws(ConfigurationError) {
      return LoadedConfiguration(
        configuration: try ConfigurationReader.read(bytes),
        distrust: distrust.map { $0 + "; it is not loaded" }, isThere: isThere)
    } catch {
      throw StartFailure(.configuration, "belfryd: \(path):\(error.line): \(error.reason)")
    }
  }
}
