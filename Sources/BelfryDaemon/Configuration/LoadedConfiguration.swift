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
    let (bytes, distrust) = try text(path, uid: uid)
    do throws(ConfigurationError) {
      return LoadedConfiguration(
        configuration: try ConfigurationReader.read(bytes ?? []), distrust: distrust,
        isThere: bytes != nil)
    } catch {
      // How many there are is known once all that it names has been looked for.
      let hasMore = ConfigurationMistakes(bytes ?? []).found.count > 1
      let rest = hasMore ? " (belfryd --check \(path) shows more mistakes)" : ""
      throw StartFailure(.configuration, "belfryd: \(path):\(error.line): \(error.reason)\(rest)")
    }
  }

  /// nil: there is no such file; empty where it is not trusted. Blocks on the disk.
  static func text(
    _ path: String, uid: UInt32
  ) throws(StartFailure) -> (bytes: [UInt8]?, distrust: String?) {
    do throws(SystemError) {
      let file = try Files.open(path, .read)
      let distrust =
        ChildProgram.distrust(try Files.status(of: file), path: path, uid: uid)
        ?? Trust.problem(above: path, owners: [uid])
      if let distrust { return ([], distrust + "; it is not loaded") }
      return (try Files.read(file, path: path, limit: INIFile.limit), nil)
    } catch {
      if error.code == SystemError.noEntry { return (nil, nil) }
      throw StartFailure(.configuration, "belfryd: \(error.text)")
    }
  }
}
