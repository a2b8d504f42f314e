#include <alsa/asoundlib.h>

// The library's messages go to standard error unless a handler takes them, and Swift cannot write a variadic one.
static inline void chirp_alsa_discard_message(const char *file, int line, const char *function, int code,
                                              const char *format, ...) {
  (void)file, (void)line, (void)function, (void)code, (void)format;
}

static inline void chirp_alsa_silence_messages(void) { snd_lib_error_set_handler(chirp_alsa_discard_message); }
