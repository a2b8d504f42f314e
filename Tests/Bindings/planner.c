/* Plans transforms in one thread while receivers are made and freed in another: FFTW has one planner for both. */
#include <chirp.h>
#include <fftw3.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 4096 };
static atomic_bool is_over;

static void *plan(void *count) {
    fftwf_complex *input = fftwf_alloc_complex(LENGTH), *output = fftwf_alloc_complex(LENGTH);
    for (int number = 0; !is_over; number++) {
        fftwf_plan plan = fftwf_plan_dft_1d(64 + number % (LENGTH - 64), input, output, FFTW_FORWARD, FFTW_ESTIMATE);
        if (plan) fftwf_destroy_plan(plan);
        *(int *)count = number;
    }
    fftwf_free(input);
    fftwf_free(output);
    return NULL;
}

int main(void) {
    int count = 0;
    pthread_t thread;
    /* The library makes the planner thread-safe when it is first used. */
    chirp_receiver_free(chirp_receiver_new(44100, NULL));
    if (pthread_create(&thread, NULL, plan, &count)) return EXIT_FAILURE;
    for (int number = 0; number < 1500; number++) {
        chirp_receiver *receiver = chirp_receiver_new(8000 + number * 37, NULL);
        if (!receiver) return EXIT_FAILURE;
        chirp_receiver_free(receiver);
    }
    is_over = true;
    pthread_join(thread, NULL);
    printf("%d plans\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
