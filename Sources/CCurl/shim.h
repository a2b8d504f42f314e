/* Types and constants alone: CurlLibrary.swift loads the functions. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* Swift cannot call variadic functions. */

static inline CURLcode chirp_curl_set_long(void *setopt, CURL *handle, CURLoption option, long value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(handle, option, value);
}

static inline CURLcode chirp_curl_set_pointer(void *setopt, CURL *handle, CURLoption option, const void *value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(handle, option, value);
}

static inline CURLcode chirp_curl_set_callback(void *setopt, CURL *handle, CURLoption option, curl_write_callback value) {
  return ((CURLcode (*)(CURL *, CURLoption, ...))setopt)(handle, option, value);
}

static inline CURLcode chirp_curl_get_long(void *getinfo, CURL *handle, CURLINFO info, long *value) {
  return ((CURLcode (*)(CURL *, CURLINFO, ...))getinfo)(handle, info, value);
}

static inline CURLcode chirp_curl_get_pointer(void *getinfo, CURL *handle, CURLINFO info, void **value) {
  return ((CURLcode (*)(CURL *, CURLINFO, ...))getinfo)(handle, info, value);
}

/* A union in Swift's eyes. */
static inline CURLcode chirp_curl_result(const CURLMsg *message) { return message->data.result; }
