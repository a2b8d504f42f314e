"""Marks the wheel as one for any Python 3 on this kind of machine: the library in it is called by ctypes."""

import os

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class PlatformWheel(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


class PlatformDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True


# `make wheel` hands over the version, which the Swift sources have.
setup(version=os.environ["CHIRP_VERSION"], cmdclass={"bdist_wheel": PlatformWheel}, distclass=PlatformDistribution)
