import BelfryCore
import CALSA

/// An open playback device of ALSA's in non-blocking mode, with what it agreed to.
///
/// One thread; every call may hang in a broken driver or plugin, so a watchdog looks on from
/// outside (`PlaybackControl`). Source: alsa-lib's pcm.h.
final class PCMDevice {
  let name: String
  private(set) var shape = SampleFormat.integer16
  private(set) var channels = 0
  /// Where its loudspeakers stand; nil: it does not say.
  private(set) var places: [ChannelPlace]?
  private(set) var rate = 0
  private var bufferFrames: snd_pcm_uframes_t = 0
  private var isClosed = false
  private let handle: OpaquePointer
  private let wanted: Wanted

  /// What a sound asks of a device.
  private struct Wanted: Equatable {
    var shape: SampleFormat
    var channels: Int
    var rate: Int

    init(_ sound: SoundFile) {
      (shape, channels, rate) = (sound.shape, sound.channels, sound.rate)
    }
  }

  /// Opens and negotiates: the sound's own format, channels and rate where the device takes them,
  /// else what comes nearest.
  init(name: String, for sound: SoundFile) throws(PCMError) {
    var opened: OpaquePointer?
    // What `plug` makes of more than two channels is the first two, or too faint a mean: it is to say
    // what the device really has.
    let mode = SND_PCM_NONBLOCK | (sound.channels > 2 ? CALSA_NO_AUTO_CHANNELS : 0)
    try checkPCM(snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, mode), "open")
    guard let opened else { throw PCMError(CALSA_INVALID, "open") }
    self.name = name
    handle = opened
    wanted = Wanted(sound)
    try negotiate(sound)
    try setThresholds()
  }

  deinit {
    close()
  }

  /// Whether it would be opened for this sound just as it is.
  func suits(_ sound: SoundFile) -> Bool { wanted == Wanted(sound) }

  /// Gives the device back; a second call does nothing, and no other may follow.
  func close() {
    if isClosed { return }
    isClosed = true
    snd_pcm_close(handle)
  }

  private func negotiate(_ sound: SoundFile) throws(PCMError) {
    var made: OpaquePointer?
    try checkPCM(snd_pcm_hw_params_malloc(&made), "hw_params_malloc")
    guard let params = made else { return }
    defer { snd_pcm_hw_params_free(params) }
    try checkPCM(snd_pcm_hw_params_any(handle, params), "hw_params_any")
    try checkPCM(
      snd_pcm_hw_params_set_access(handle, params, SND_PCM_ACCESS_RW_INTERLEAVED), "access")
    shape = try chooseShape(sound.shape, params)
    try chooseChannels(sound.channels, params)
    try chooseRate(sound.rate, params)
    // Half a second ahead survives a loaded board; stopping drops it at once all the same.
    var bufferTime: UInt32 = 500_000
    var periodTime: UInt32 = 50_000
    try checkPCM(
      snd_pcm_hw_params_set_buffer_time_near(handle, params, &bufferTime, nil), "buffer_time")
    try checkPCM(
      snd_pcm_hw_params_set_period_time_near(handle, params, &periodTime, nil), "period_time")
    try checkPCM(snd_pcm_hw_params(handle, params), "hw_params")
    var gotChannels: UInt32 = 0
    var gotRate: UInt32 = 0
    try checkPCM(snd_pcm_hw_params_get_channels(params, &gotChannels), "get_channels")
    // set_rate_near may have given another rate silently.
    try checkPCM(snd_pcm_hw_params_get_rate(params, &gotRate, nil), "get_rate")
    try checkPCM(snd_pcm_hw_params_get_buffer_size(params, &bufferFrames), "get_buffer_size")
    guard (1...256).contains(gotChannels), (1000...1_000_000).contains(gotRate) else {
      throw PCMError(
        CALSA_INVALID, "negotiate " + counted(gotChannels, "channel") + " at \(gotRate) Hz")
    }
    channels = Int(gotChannels)
    rate = Int(gotRate)
    places = readPlaces()
  }

  private func chooseShape(
    _ wanted: SampleFormat, _ params: OpaquePointer
  ) throws(PCMError) -> SampleFormat {
    for shape in wanted.preferences
    where snd_pcm_hw_params_set_format(handle, params, shape.alsa) == 0 {
      return shape
    }
    throw PCMError(CALSA_INVALID, "format")
  }

  private func chooseChannels(_ wanted: Int, _ params: OpaquePointer) throws(PCMError) {
    // One channel becomes two where there is no device of one; of many as many as it has.
    for count in Array((1...wanted).reversed()) + [2]
    where snd_pcm_hw_params_set_channels(handle, params, UInt32(count)) == 0 {
      return
    }
    var near = UInt32(wanted)
    try checkPCM(snd_pcm_hw_params_set_channels_near(handle, params, &near), "channels")
  }

  /// Once it has agreed; of one and two channels nobody has to ask.
  private func readPlaces() -> [ChannelPlace]? {
    guard channels > 2, let map = snd_pcm_get_chmap(handle) else { return nil }
    defer { free(map) }
    // A count, and then the positions, which Swift does not see.
    let words = UnsafeRawPointer(map).assumingMemoryBound(to: UInt32.self)
    guard words[0] == UInt32(channels) else { return nil }
    return (1...channels).map { ChannelPlace(alsa: words[$0]) }
  }

  private func chooseRate(_ wanted: Int, _ params: OpaquePointer) throws(PCMError) {
    if snd_pcm_hw_params_set_rate(handle, params, UInt32(wanted), 0) == 0 { return }
    var near = UInt32(wanted)
    try checkPCM(snd_pcm_hw_params_set_rate_near(handle, params, &near, nil), "rate")
  }

  private func setThresholds() throws(PCMError) {
    var made: OpaquePointer?
    try checkPCM(snd_pcm_sw_params_malloc(&made), "sw_params_malloc")
    guard let params = made else { return }
    defer { snd_pcm_sw_params_free(params) }
    try checkPCM(snd_pcm_sw_params_current(handle, params), "sw_params_current")
    // Starts when half full; what is shorter is started by drain.
    let threshold = max(1, bufferFrames / 2)
    try checkPCM(
      snd_pcm_sw_params_set_start_threshold(handle, params, threshold), "start_threshold")
    try checkPCM(snd_pcm_sw_params(handle, params), "sw_params")
  }

  /// Writes whole frames; how many it took, or 0 after waiting up to `milliseconds` for room.
  /// `PCMError.status` is CALSA_UNDERRUN or CALSA_SUSPENDED where `recover` helps.
  func write(
    _ frames: UnsafeRawBufferPointer, milliseconds: Int32
  ) throws(PCMError) -> Int {
    let size = shape.bytes * channels
    let count = snd_pcm_writei(handle, frames.baseAddress, snd_pcm_uframes_t(frames.count / size))
    if count >= 0 { return Int(count) }
    guard Int32(count) == CALSA_AGAIN else { throw PCMError(Int32(count), "write") }
    try checkPCM(snd_pcm_wait(handle, milliseconds), "wait")
    return 0
  }

  /// Makes the device ready again after an underrun, or takes a step towards it after a suspend:
  /// false while it is still waking, which `force` ends by starting over.
  func recover(from error: PCMError, force: Bool) throws(PCMError) -> Bool {
    if error.status == CALSA_SUSPENDED, !force {
      let status = snd_pcm_resume(handle)
      if status == CALSA_AGAIN { return false }
      // Plugins answer 0 whether they are awake or not.
      if status == 0 { return snd_pcm_state(handle) != SND_PCM_STATE_SUSPENDED }
    }
    try checkPCM(snd_pcm_prepare(handle), "prepare")
    return true
  }

  /// Plays what is buffered to its end: false while it still plays.
  func drain() throws(PCMError) -> Bool {
    let status = snd_pcm_drain(handle)
    if status == CALSA_AGAIN { return false }
    // An underrun here means that everything has been heard.
    if status == CALSA_UNDERRUN { return true }
    try checkPCM(status, "drain")
    return true
  }

  /// Silences at once.
  func drop() {
    snd_pcm_drop(handle)
  }

  /// Takes frames again after `drain` or `drop`.
  func makeReady() throws(PCMError) {
    let state = snd_pcm_state(handle)
    if state == SND_PCM_STATE_PREPARED || state == SND_PCM_STATE_RUNNING { return }
    try checkPCM(snd_pcm_prepare(handle), "prepare")
  }

  /// Plays what is buffered, however little.
  func start() throws(PCMError) {
    guard snd_pcm_state(handle) == SND_PCM_STATE_PREPARED else { return }
    try checkPCM(snd_pcm_start(handle), "start")
  }
}

extension SampleFormat {
  fileprivate var alsa: snd_pcm_format_t {
    switch self {
    case .unsigned8: SND_PCM_FORMAT_U8
    case .integer16: SND_PCM_FORMAT_S16_LE
    case .integer24: SND_PCM_FORMAT_S24_3LE
    case .wide24: SND_PCM_FORMAT_S24_LE
    case .integer32: SND_PCM_FORMAT_S32_LE
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .float64: SND_PCM_FORMAT_FLOAT64_LE
    }
  }
}
