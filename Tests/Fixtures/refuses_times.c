// Preloaded into the speaker: libasound, but for one of the calls that choose how much a device buffers,
// which fails. BELFRY_REFUSED says which: buffer or period.
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <string.h>

typedef int choose(snd_pcm_t *, snd_pcm_hw_params_t *, unsigned *, int *);

static int call(const char *name, const char *which, snd_pcm_t *pcm, snd_pcm_hw_params_t *params,
                unsigned *value, int *direction) {
    const char *refused = getenv("BELFRY_REFUSED");
    if (refused && !strcmp(refused, which)) return -EIO;
    choose *next;
    *(void **)&next = dlsym(RTLD_NEXT, name);
    return next(pcm, params, value, direction);
}

int snd_pcm_hw_params_set_buffer_time_near(snd_pcm_t *pcm, snd_pcm_hw_params_t *params,
                                           unsigned *value, int *direction) {
    return call("snd_pcm_hw_params_set_buffer_time_near", "buffer", pcm, params, value, direction);
}

int snd_pcm_hw_params_set_period_time_near(snd_pcm_t *pcm, snd_pcm_hw_params_t *params,
                                           unsigned *value, int *direction) {
    return call("snd_pcm_hw_params_set_period_time_near", "period", pcm, params, value, direction);
}
