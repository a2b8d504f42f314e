/* Makes the sound of a code and finds the code in it again.
 * cc roundtrip.c $(pkg-config --cflags --libs chirp) -o roundtrip */
#include <chirp.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(chirp_error error) {
    fprintf(stderr, "roundtrip: %s\n", chirp_error_message(error));
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const char *code = argc > 1 ? argv[1] : "gsm2h88c7u";
    size_t count;
    chirp_error error = chirp_synthesise(code, 44100, 0.8f, NULL, 0, &count);
    if (error) return fail(error);
    float *samples = malloc(count * sizeof *samples);
    chirp_receiver *receiver = chirp_receiver_new(44100, &error);
    if (!samples || !receiver) return fail(error);
    chirp_synthesise(code, 44100, 0.8f, samples, count, &count);
    chirp_receiver_process(receiver, samples, count);
    chirp_receiver_finish(receiver);
    chirp_detection found;
    while (chirp_receiver_next(receiver, &found))
        printf("%s %.2f s %+.1f dB\n", found.longcode, found.start, found.snr_db);
    chirp_receiver_free(receiver);
    free(samples);
    return EXIT_SUCCESS;
}
