/* The newer interface loads providers and settings, 2 MB of them, before its first digest. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
