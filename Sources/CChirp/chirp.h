/* chirp: short codes as sound.
 *
 * A chirp carries ten characters, 0-9 and a-v, in twenty tones of 1.744 s together, of 0.72 s in the format "fast". This library turns a code into
 * samples and finds every chirp in a stream of samples. See chirp(3).
 *
 * Samples are of type float; -1 to 1 is full scale. Strings are UTF-8 and end with a zero byte. The library
 * keeps no state outside of its objects; of FFTW, which a program may use as well, it makes the planner thread-safe. Different threads may use different receivers at the same time; one receiver
 * belongs to one thread at a time.
 */
#ifndef CHIRP_H
#define CHIRP_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a code and of a longcode, the final zero byte included. */
#define CHIRP_CODE_SIZE 11
#define CHIRP_LONGCODE_SIZE 19

/* What a function answers. chirp_error_message has the sentence. */
typedef enum chirp_error {
    CHIRP_OK = 0,
    /* A pointer that must not be NULL is NULL, or a number is beyond all memory. */
    CHIRP_ERROR_ARGUMENT = 1,
    /* A receiver does not work at this sample rate. */
    CHIRP_ERROR_RECEIVER_RATE = 2,
    /* The highest tones do not exist at this sample rate. */
    CHIRP_ERROR_SYNTHESIS_RATE = 3,
    /* The text has no code in it. */
    CHIRP_ERROR_EMPTY = 4,
    /* The text has a character that no code has. */
    CHIRP_ERROR_CHARACTER = 5,
    /* The text has neither 10, nor 18, nor 20 characters. */
    CHIRP_ERROR_LENGTH = 6,
    /* The text has 20 characters, but does not begin with "hj". */
    CHIRP_ERROR_START_CODE = 7,
    /* The parity does not belong to the code. */
    CHIRP_ERROR_PARITY = 8,
    /* The buffer is too small for the samples. */
    CHIRP_ERROR_CAPACITY = 9,
    /* There is no format of this name. */
    CHIRP_ERROR_FORMAT = 10,
    /* A receiver takes 1 to 64 channels, and in chirp_receiver_process one. */
    CHIRP_ERROR_CHANNELS = 11
} chirp_error;

/* A chirp that was found. */
typedef struct chirp_detection {
    /* Start of the first tone, in seconds from the first sample. Negative when the beginning was cut off. */
    double start;
    /* From the start of the first to the end of the last tone, in seconds. */
    double duration;
    /* Power of the chirp over the power of the noise in the whole band, in decibels. */
    double snr_db;
    /* Probability that the code is right, 0 to 1. */
    double confidence;
    /* How far the pitches lie above the nominal ones, in cents. */
    double tuning_cents;
    /* How fast it was played: 1 at the format's symbol length, 87.2 ms for "original", more when faster. */
    double speed;
    /* Number of the eighteen symbols whose strongest tone was not the decoded one. */
    int corrected;
    /* How many copies of the chirp were combined. */
    int repeats;
    /* The ten characters. */
    char code[CHIRP_CODE_SIZE];
    /* The ten characters and the eight of their parity. */
    char longcode[CHIRP_LONGCODE_SIZE];
    /* Name of the format on the air: "original", "telephone", "ultrasonic" or "fast". */
    char format[16];
} chirp_detection;

typedef struct chirp_receiver chirp_receiver;

/* Makes a receiver for samples at a rate from 8,000 to 192,000 Hz; NULL on an error. `error` may be NULL. Free the
 * receiver with chirp_receiver_free. */
chirp_receiver *chirp_receiver_new(double rate, chirp_error *error);

/* The same for several formats: their names, separated by commas, or "all". Each takes about as much time as "original". A receiver of
 * "ultrasonic" needs a rate of 44,100 Hz or more. */
chirp_receiver *chirp_receiver_new_formats(double rate, const char *formats, chirp_error *error);

/* The same for the channels of one recording or device, 1 to 64 of them: each is listened to. With `combine`, copies of a chirp in the
 * format "original" that is repeated at equal intervals of 1.8 to 15 s, and what up to eight channels heard of one, are combined where none
 * can be decoded alone. Noise then takes up to three times as long, and a single chirp must be 90 % certain. */
chirp_receiver *chirp_receiver_new_channels(
    double rate, size_t channels, const char *formats, bool combine, chirp_error *error);

/* Takes the next samples of a receiver of one channel, any number of them. What is found does not depend on how they were cut. Values
 * that are not finite count as silence. */
chirp_error chirp_receiver_process(chirp_receiver *receiver, const float *samples, size_t count);

/* The same for a receiver of any number of channels: `count` samples of each. Those of a channel begin `stride` samples after those of the
 * channel before. */
chirp_error chirp_receiver_process_channels(
    chirp_receiver *receiver, const float *samples, size_t stride, size_t count);

/* Ends the stream: chirps that end with it become available. The next samples begin a new stream at time zero. */
chirp_error chirp_receiver_finish(chirp_receiver *receiver);

/* Writes the next chirp that was found and answers true, or answers false when there is none at present. */
bool chirp_receiver_next(chirp_receiver *receiver, chirp_detection *detection);

/* Of the chirp that chirp_receiver_next wrote last: `channel` becomes the channel in which it is plainest, from 0, and `channels` those
 * that were combined, as bits, the lowest for channel 0. Either may be NULL. A chirp that several channels heard, each by itself, is there
 * once for each. */
chirp_error chirp_receiver_channels(const chirp_receiver *receiver, int *channel, unsigned long long *channels);

/* Frees a receiver; NULL is ignored. */
void chirp_receiver_free(chirp_receiver *receiver);

/* Writes the sound of a code in any form that chirp_parse takes: 1.744 s of samples in -volume to volume, at a rate from
 * 22,050 to 192,000 Hz. `count` becomes the number of samples, also when `capacity` is too small for them; with samples
 * NULL nothing else happens. `volume` is 0 to 1; values outside are clamped. */
chirp_error chirp_synthesise(
    const char *code, double rate, float volume, float *samples, size_t capacity, size_t *count);

/* The same in a format. "telephone" can be sent from 8,000 Hz on and "ultrasonic" from 44,100 Hz on; "fast" is 0.72 s long. */
chirp_error chirp_synthesise_format(
    const char *code, const char *format, double rate, float volume, float *samples, size_t capacity, size_t *count);

/* Writes the longcode, 18 characters, of a code in any form that chirp_parse takes. */
chirp_error chirp_longcode(const char *code, char longcode[CHIRP_LONGCODE_SIZE]);

/* Reads a code as people paste it: 10 characters, a longcode of 18, a frame of 20, or a link that ends in one of them. Upper case,
 * surrounding space, quotation marks and brackets are allowed. Parity is checked. */
chirp_error chirp_parse(const char *text, char code[CHIRP_CODE_SIZE]);

/* The sentence for an error, in English. It belongs to the library and stays valid. */
const char *chirp_error_message(chirp_error error);

/* The version of the library, such as "1.0.0". It belongs to the library and stays valid. */
const char *chirp_version(void);

#ifdef __cplusplus
}
#endif

#endif
