"""A resolver of names that does not answer: chirp does not wait for it longer than for a host."""

import os
import shutil
import subprocess

import pytest

from service import BINARY

# In place of the system's: it takes five minutes for one name.
RESOLVER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    if (node && !strcmp(node, "slow.test")) sleep(300);
    return real(node, service, hints, result);
}
"""


@pytest.fixture(scope="module")
def resolver(tmp_path_factory):
    # Swift comes with the second.
    compiler = shutil.which("cc") or shutil.which("clang")
    assert compiler, "no compiler for C"
    path = tmp_path_factory.mktemp("resolver") / "resolver.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", path], input=RESOLVER, text=True, check=True)
    return path


def test_a_name_that_is_not_resolved_in_time_is_given_up(resolver, tmp_path):
    variables = {"LD_PRELOAD": str(resolver), "HOME": str(tmp_path), "CHIRP_REGISTRY": "http://slow.test:8080", "CHIRP_HISTORY": "off"}
    process = subprocess.run(
        [BINARY, "resolve", "gsm2h88c7u"], env={**os.environ, **variables}, capture_output=True, text=True, timeout=120)
    assert process.returncode != 0
    assert "no answer in time" in process.stderr
