// An ALSA device for tests (pcm_type { lib "..." }): keeps time as hardware does and misbehaves as
// its configuration says. Options: log FILE (what was played, raw; with append 1 of all sounds, one
// behind the other, else of the last), fault NAME and after N. FILE.times gets a line whenever what
// is played goes from silence to sound: when that is heard, in nanoseconds since 1970. NAME is one of
//   none    plays
//   busy    the first N opens answer EBUSY (counted in FILE.opens)
//   lost    ENODEV once N frames were taken, and at every later open
//   xrun    one underrun once N frames were taken
//   suspend one suspend (ESTRPIPE) once N frames were taken; the third resume wakes it
//   sleep   the same, but only prepare wakes it
//   hang    the first write after N frames never returns
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct device {
    snd_pcm_ioplug_t io;
    char *log, *fault;
    long after, done, resumes;
    int faulted, frame;
    int64_t started;
    // Frames since it was prepared; which of them is the first that is no silence, before the start.
    long place, waiting;
    int sounds;
    FILE *file;
};

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int is(struct device *d, const char *fault) { return !strcmp(d->fault, fault); }

static int is_running(struct device *d) {
    return d->io.state == SND_PCM_STATE_RUNNING || d->io.state == SND_PCM_STATE_DRAINING;
}

// Beside this nothing may be written.
static int is_nowhere(const char *log) { return !strcmp(log, "/dev/null"); }

// A frame is heard when its turn comes, but not before it was written.
static void note_sound(struct device *d, long place) {
    struct timespec t;
    char name[4096];
    clock_gettime(CLOCK_REALTIME, &t);
    int64_t instant = now(), heard = d->started + place * 1000000000 / d->io.rate;
    if (heard < instant) heard = instant;
    if (is_nowhere(d->log)) return;
    snprintf(name, sizeof name, "%s.times", d->log);
    FILE *file = fopen(name, "a");
    if (!file) return;
    fprintf(file, "%lld\n", (long long)((int64_t)t.tv_sec * 1000000000 + t.tv_nsec + heard - instant));
    fclose(file);
}

static void look_for_sound(struct device *d, const char *from, size_t bytes, long count) {
    for (long i = 0; i < count; i++, d->place++) {
        int sounds = 0;
        for (size_t j = 0; j < bytes; j++) sounds |= from[i * bytes + j] != 0;
        if (sounds && !d->sounds) {
            if (is_running(d)) note_sound(d, d->place);
            else d->waiting = d->place;
        }
        d->sounds = sounds;
    }
}

// Ready once there is room for a period, or once all is played.
static void tell_when_ready(struct device *d) {
    int64_t room = d->io.state == SND_PCM_STATE_DRAINING ? 0 : d->io.buffer_size - d->io.period_size;
    int64_t played = (int64_t)d->io.appl_ptr - room;
    int64_t at = d->started + (played * 1000000000 + d->io.rate - 1) / d->io.rate;
    if (at < 1 || !is_running(d)) at = 1;
    const struct itimerspec time = {.it_value = {at / 1000000000, at % 1000000000}};
    timerfd_settime(d->io.poll_fd, TFD_TIMER_ABSTIME, &time, NULL);
}

static int start(snd_pcm_ioplug_t *io) {
    struct device *d = io->private_data;
    d->started = now();
    if (d->waiting >= 0) note_sound(d, d->waiting);
    d->waiting = -1;
    return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
    (void)io;
    return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
    struct device *d = io->private_data;
    if (d->faulted && is(d, "lost")) return -ENODEV;
    if (!is_running(d)) return io->hw_ptr;
    int64_t played = (now() - d->started) * io->rate / 1000000000;
    if (played > (int64_t)io->appl_ptr) played = io->appl_ptr;
    tell_when_ready(d);
    return played;
}

static snd_pcm_sframes_t transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                  snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct device *d = io->private_data;
    if (!d->faulted && d->after >= 0 && d->done >= d->after && !is(d, "none") && !is(d, "busy")) {
        d->faulted = 1;
        if (is(d, "hang")) for (;;) pause();
        if (is(d, "lost")) return -ENODEV;
        snd_pcm_ioplug_set_state(io, is(d, "xrun") ? SND_PCM_STATE_XRUN : SND_PCM_STATE_SUSPENDED);
        return is(d, "xrun") ? -EPIPE : -ESTRPIPE;
    }
    const char *from = (const char *)areas->addr + areas->first / 8 + offset * (areas->step / 8);
    look_for_sound(d, from, areas->step / 8, size);
    fwrite(from, areas->step / 8, size, d->file);
    fflush(d->file);
    d->done += size;
    return size;
}

static int prepare(snd_pcm_ioplug_t *io) {
    struct device *d = io->private_data;
    d->started = now();
    d->place = 0, d->waiting = -1, d->sounds = 0;
    return 0;
}

// libasound ignores what this returns: the state alone tells whether the device is awake.
static int resume(snd_pcm_ioplug_t *io) {
    struct device *d = io->private_data;
    if (++d->resumes == 3 && is(d, "suspend"))
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_PREPARED);
    return 0;
}

static int close_device(snd_pcm_ioplug_t *io) {
    struct device *d = io->private_data;
    timerfd_settime(io->poll_fd, 0, &(struct itimerspec){0}, NULL);
    fclose(d->file);
    close(io->poll_fd);
    free(d->log);
    free(d->fault);
    free(d);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start, .stop = stop, .pointer = pointer, .transfer = transfer,
    .prepare = prepare, .resume = resume, .close = close_device,
};

static long count_opens(const char *log) {
    if (is_nowhere(log)) return 1;
    char name[4096];
    snprintf(name, sizeof name, "%s.opens", log);
    FILE *file = fopen(name, "a");
    if (!file) return 0;
    fputc('x', file);
    long count = ftell(file);
    fclose(file);
    return count;
}

static int limit(struct device *d, long rate, long channels) {
    static const unsigned formats[] = {SND_PCM_FORMAT_S16_LE};
    static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
    int error = snd_pcm_ioplug_set_param_list(&d->io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
    if (!error) error = snd_pcm_ioplug_set_param_list(&d->io, SND_PCM_IOPLUG_HW_ACCESS, 1, accesses);
    if (!error && rate) error = snd_pcm_ioplug_set_param_minmax(&d->io, SND_PCM_IOPLUG_HW_RATE, rate, rate);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(&d->io, SND_PCM_IOPLUG_HW_CHANNELS, channels ? channels : 1, channels ? channels : 8);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(&d->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 65536);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(&d->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(belfry) {
    (void)root;
    const char *log = "/dev/null", *fault = "none";
    long after = 0, rate = 0, channels = 0, append = 0;
    snd_config_iterator_t i, next;
    snd_config_for_each(i, next, conf) {
        snd_config_t *n = snd_config_iterator_entry(i);
        const char *id;
        if (snd_config_get_id(n, &id) < 0) continue;
        if (!strcmp(id, "log")) snd_config_get_string(n, &log);
        if (!strcmp(id, "fault")) snd_config_get_string(n, &fault);
        if (!strcmp(id, "after")) snd_config_get_integer(n, &after);
        if (!strcmp(id, "rate")) snd_config_get_integer(n, &rate);
        if (!strcmp(id, "append")) snd_config_get_integer(n, &append);
        if (!strcmp(id, "channels")) snd_config_get_integer(n, &channels);
    }
    long opens = count_opens(log);
    if (!strcmp(fault, "busy") && opens <= after) return -EBUSY;
    if (!strcmp(fault, "lost") && opens > 1) return -ENODEV;
    struct device *d = calloc(1, sizeof *d);
    // The configuration goes when the open returns.
    d->log = strdup(log), d->fault = strdup(fault), d->after = after;
    d->waiting = -1;
    d->file = fopen(log, append ? "a" : "w");
    d->io.version = SND_PCM_IOPLUG_VERSION;
    d->io.name = "Belfry's test device";
    // Who looks again after exactly a buffer has not seen nothing.
    d->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    d->io.callback = &callbacks;
    d->io.private_data = d;
    d->io.poll_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    d->io.poll_events = POLLIN;
    int error = snd_pcm_ioplug_create(&d->io, name, stream, mode);
    if (!error) error = limit(d, rate, channels);
    if (error < 0) return error;
    *pcmp = d->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(belfry);
