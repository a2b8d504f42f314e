/* Calls every function of chirp.h, rightly and wrongly. */
#include <chirp.h>
#include <math.h>
#include <stdint.h>
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
    EXPECT(chirp_receiver_process(receiver, samples, SIZE_MAX) == CHIRP_ERROR_ARGUMENT);
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

    /* Two channels, the second one silent and then an inverted copy of the first. */
    EXPECT(!chirp_receiver_new_channels(44100, 0, "original", true, &error) && error == CHIRP_ERROR_CHANNELS);
    EXPECT(!chirp_receiver_new_channels(44100, 65, "original", true, &error) && error == CHIRP_ERROR_CHANNELS);
    EXPECT(!chirp_receiver_new_channels(44100, SIZE_MAX, "original", true, &error) && error == CHIRP_ERROR_CHANNELS);
    EXPECT(!chirp_receiver_new_channels(8000, 2, "original,ultrasonic", true, &error) && error == CHIRP_ERROR_RECEIVER_RATE);
    EXPECT(!chirp_receiver_new_channels(44100, 2, "loud", true, &error) && error == CHIRP_ERROR_FORMAT);
    EXPECT(!chirp_receiver_new_channels(44100, 2, NULL, true, &error) && error == CHIRP_ERROR_ARGUMENT);
    chirp_receiver *pair = chirp_receiver_new_channels(44100, 2, "original", false, &error);
    int channel = -1;
    unsigned long long channels = 0;
    EXPECT(pair && error == CHIRP_OK && chirp_receiver_channels(pair, &channel, &channels) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_receiver_process(pair, samples, count) == CHIRP_ERROR_CHANNELS);
    EXPECT(chirp_receiver_process_channels(pair, NULL, count, count) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_receiver_process_channels(pair, samples, SIZE_MAX, count) == CHIRP_ERROR_ARGUMENT);
    EXPECT(chirp_receiver_process_channels(NULL, samples, count, count) == CHIRP_ERROR_ARGUMENT);
    float *planes = calloc(2 * count, sizeof *planes);
    if (!planes) return EXIT_FAILURE;
    memcpy(planes, samples, count * sizeof *planes);
    for (int round = 0; round < 2; round++) {
        EXPECT(chirp_receiver_process_channels(pair, planes, count, count) == CHIRP_OK);
        EXPECT(chirp_receiver_finish(pair) == CHIRP_OK);
        for (int number = 0; number <= round; number++) {
            EXPECT(chirp_receiver_next(pair, &found) && !strcmp(found.code, "gsm2h88c7u"));
            EXPECT(chirp_receiver_channels(pair, &channel, &channels) == CHIRP_OK && channels == 1ull << channel);
            EXPECT(chirp_receiver_channels(pair, NULL, NULL) == CHIRP_OK);
        }
        EXPECT(!chirp_receiver_next(pair, &found));
        for (size_t index = 0; index < count; index++) planes[count + index] = -samples[index];
    }
    chirp_receiver_free(pair);

    /* Four copies, each too faint to be decoded alone. */
    size_t gap = 3 * 44100, length = 5 * gap;
    float *noise = malloc(length * sizeof *noise);
    if (!noise) return EXIT_FAILURE;
    unsigned long long state = 1;
    for (size_t index = 0; index < length; index++) {
        float sum = 0;
        for (int term = 0; term < 12; term++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            sum += (float)(state >> 40) / (1 << 24) - 0.5f;
        }
        noise[index] = 0.1f * sum;
    }
    /* A tone of amplitude a has the power of a² / 2: -28 dB of the noise's. */
    for (size_t copy = 0; copy < 4; copy++)
        for (size_t index = 0; index < count; index++) noise[copy * gap + 44100 + index] += 0.0056f * samples[index];
    for (int combine = 0; combine < 2; combine++) {
        chirp_receiver *faint = chirp_receiver_new_channels(44100, 1, "original", combine, NULL);
        EXPECT(chirp_receiver_process(faint, noise, length) == CHIRP_OK && chirp_receiver_finish(faint) == CHIRP_OK);
        EXPECT(chirp_receiver_next(faint, &found) == combine);
        if (combine) EXPECT(found.repeats > 1 && !strcmp(found.code, "gsm2h88c7u") && fabs(found.start - 1) < 0.05);
        chirp_receiver_free(faint);
    }
    free(noise);
    free(planes);
    free(samples);

    for (int number = 0; number < 12; number++) EXPECT(strlen(chirp_error_message((chirp_error)number)) > 5);
    EXPECT(!strcmp(chirp_error_message((chirp_error)99), "unknown error"));
    EXPECT(chirp_version()[0] == '1');
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
