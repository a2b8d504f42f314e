/* Calls every function of chirp.h, rightly and wrongly. */
#include <chirp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s\n", __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

int main(void) {
    int failures = 0;
    char code[CHIRP_CODE_SIZE], word[CHIRP_LONGCODE_SIZE];
    EXPECT(chirp_parse(" “https://example.org/GSM2H88C7U” ", code) == CHIRP_OK && !strcmp(code, "gsm2h88c7u"));
    EXPECT(chirp_longcode("gsm2h88c7u", word) == CHIRP_OK && !strcmp(word, "gsm2h88c7udtnef4ok"));
    EXPECT(chirp_parse("", code) == CHIRP_ERROR_EMPTY);
    EXPECT(chirp_parse("gsm2h88c7", code) == CHIRP_ERROR_LENGTH);
    EXPECT(chirp_parse("gsm2h88c7\xff", code) == CHIRP_ERROR_CHARACTER);
    EXPECT(chirp_parse("aagsm2h88c7udtnef4ok", code) == CHIRP_ERROR_START_CODE);
    EXPECT(chirp_parse("gsm2h88c7udtnef4o0", code) == CHIRP_ERROR_PARITY);
    EXPECT(chirp_parse(NULL, code) == CHIRP_ERROR_ARGUMENT && chirp_parse("gsm2h88c7u", NULL) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_longcode(NULL, word) == CHIRP_ERROR_ARGUMENT);

    size_t count = 1;
    EXPECT(chirp_synthesise("gsm2h88c7u", 8000, 1, NULL, 0, &count) == CHIRP_ERROR_SYNTHESIS_RATE && count == 0);
    EXPECT(chirp_synthesise("gsm2h88c7u", 44100, 1, NULL, 0, NULL) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_synthesise("gsm2h88c7u", 44100, 1, NULL, 0, &count) == CHIRP_OK && count == 76910);
    float *samples = malloc(count * sizeof *samples);
    if (!samples) return EXIT_FAILURE;
    EXPECT(chirp_synthesise("gsm2h88c7u", 44100, 1, samples, count - 1, &count) == CHIRP_ERROR_CAPACITY && count == 76910);
    EXPECT(chirp_synthesise("gsm2h88c7u", 44100, NAN, samples, count, &count) == CHIRP_OK && samples[1000] == 0);
    EXPECT(chirp_synthesise("gsm2h88c7u", 44100, 1, samples, count, &count) == CHIRP_OK);

    EXPECT(chirp_synthesise_format("gsm2h88c7u", "loud", 44100, 1, NULL, 0, &count) == CHIRP_ERROR_FORMAT && count == 0);
    EXPECT(chirp_synthesise_format("gsm2h88c7u", NULL, 44100, 1, NULL, 0, &count) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_synthesise_format("gsm2h88c7u", "ultrasonic", 32000, 1, NULL, 0, &count) == CHIRP_ERROR_SYNTHESIS_RATE);
    EXPECT(chirp_synthesise_format("gsm2h88c7u", "telephone", 8000, 1, NULL, 0, &count) == CHIRP_OK && count == 13952);

    chirp_error error = CHIRP_OK;
    static const char *const formats[] = {"original", "telephone", "ultrasonic", "fast"};
    chirp_receiver *all = chirp_receiver_new_formats(44100, "all", &error);
    EXPECT(all && error == CHIRP_OK);
    for (int index = 0; index < 4; index++) {
        EXPECT(chirp_synthesise_format("gsm2h88c7u", formats[index], 44100, 1, samples, 76910, &count) == CHIRP_OK);
        chirp_detection one;
        EXPECT(chirp_receiver_process(all, samples, count) == CHIRP_OK && chirp_receiver_finish(all) == CHIRP_OK);
        EXPECT(chirp_receiver_next(all, &one) && !strcmp(one.code, "gsm2h88c7u") && !strcmp(one.format, formats[index]));
        EXPECT(!chirp_receiver_next(all, &one));
    }
    chirp_receiver_free(all);
    chirp_receiver_free(chirp_receiver_new_formats(8000, "telephone,original", &error));
    EXPECT(error == CHIRP_OK);
    EXPECT(!chirp_receiver_new_formats(8000, "all", &error) && error == CHIRP_ERROR_RECEIVER_RATE);
    EXPECT(!chirp_receiver_new_formats(44100, "original,", &error) && error == CHIRP_ERROR_FORMAT);
    EXPECT(!chirp_receiver_new_formats(44100, "", &error) && error == CHIRP_ERROR_FORMAT);
    EXPECT(!chirp_receiver_new_formats(44100, NULL, &error) && error == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_synthesise("gsm2h88c7u", 44100, 1, samples, 76910, &count) == CHIRP_OK);
    EXPECT(!chirp_receiver_new(NAN, &error) && error == CHIRP_ERROR_RECEIVER_RATE);
    EXPECT(!chirp_receiver_new(7999, NULL));
    EXPECT(chirp_receiver_process(NULL, samples, count) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_receiver_finish(NULL) == CHIRP_ERROR_ARGUMENT);
    chirp_receiver_free(NULL);
    chirp_receiver *receiver = chirp_receiver_new(44100, &error);
    chirp_detection found;
    EXPECT(receiver && error == CHIRP_OK && !chirp_receiver_next(receiver, &found));
    EXPECT(chirp_receiver_process(receiver, NULL, 1) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_receiver_process(receiver, NULL, 0) == CHIRP_OK);
    for (int round = 0; round < 2; round++) {
        EXPECT(chirp_receiver_process(receiver, samples, count) == CHIRP_OK);
        EXPECT(chirp_receiver_finish(receiver) == CHIRP_OK);
        EXPECT(!chirp_receiver_next(receiver, NULL));
        EXPECT(chirp_receiver_next(receiver, &found));
        EXPECT(!strcmp(found.longcode, "gsm2h88c7udtnef4ok") && !strcmp(found.code, "gsm2h88c7u"));
        EXPECT(fabs(found.start) < 0.002 && fabs(found.duration - 1.744) < 0.002 && found.confidence > 0.99);
        EXPECT(found.corrected == 0 && found.repeats == 1 && !strcmp(found.format, "original"));
        EXPECT(!chirp_receiver_next(receiver, &found));
    }
    /* What was not taken is freed with the receiver. */
    chirp_receiver_process(receiver, samples, count);
    chirp_receiver_finish(receiver);
    chirp_receiver_free(receiver);
    free(samples);

    for (int number = 0; number < 11; number++) EXPECT(strlen(chirp_error_message((chirp_error)number)) > 5);
    EXPECT(!strcmp(chirp_error_message((chirp_error)99), "unknown error"));
    EXPECT(chirp_version()[0] == '1');
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
