#!/bin/sh
# Measures the references of Tests/ChirpLabTests/RegressionGateTests.swift: the channels of its rows, with many chirps and
# other random numbers than the gate's. Prints the rows to put between its marks GATE and END; takes some minutes.
#
#   Tools/measure-gate.sh [CHIRPS [ROW]]      default: 1000 in each row, all rows
set -eu
cd "$(dirname "$0")/.."
[ $# -lt 2 ] || export CHIRP_GATE_ROW="$2"
CHIRP_CORE_ONLY=1 CHIRP_MEASURE_GATE="${1:-1000}" "${SWIFT:-swift}" test -c release -Xswiftc -enable-testing \
    --scratch-path .build/core --filter RegressionGateTests | grep '^ *Row(' || true
