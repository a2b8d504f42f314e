/* Types and constants alone: PostgresLibrary.swift loads the functions. */
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<pgsql/libpq-fe.h>)
#include <pgsql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
