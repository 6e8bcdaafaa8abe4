extension Varlink {
  /// `io.belfry.Scheduler.varlink`, which stands one folder up; a test holds them together.
  static let schedulerDescription =
    notificationDescription + eventDescription + methodDescription + appDescription
    + pushDescription + errorDescription

  /// The interface that every Varlink service has.
  static let serviceDescription = """
    # What every Varlink service answers.
    interface org.varlink.service

    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    method GetInterfaceDescription(interface: string) -> (description: string)

    error InterfaceNotFound (interface: string)

    error MethodNotFound (method: string)

    error MethodNotImplemented (method: string)

    error InvalidParameter (parameter: string)

    error PermissionDenied ()

    error ExpectedMore ()

    """
}
