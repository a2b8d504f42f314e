#!/bin/bash
# Makes the receiver for browsers: make-wasm.sh CHECKOUT-OF-SWIFT-NUMERICS FOLDER leaves chirp.wasm, chirp.js and
# chirp.d.ts in FOLDER.
#
# Swift's Embedded mode takes the protocol core as it is, without FFTW; what it needs of C comes from wasi-libc. The
# module asks its host for nothing: the few system calls that wasi-libc has in it are never reached, and chirp.js gives
# them stand-ins.
set -euo pipefail
cd "$(dirname "$0")/.."
numerics=$1 folder=$2
swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
resources=$("$swift/swiftc" -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
target=wasm32-unknown-none-wasm
libc=/usr/lib/wasm32-wasi
builtins=$(find /usr/lib/llvm-*/lib/clang -name libclang_rt.builtins-wasm32.a | sort -V | tail -1)
objects=$folder/objects
mkdir -p "$objects"

compile() { # NAME FLAG… FILE…
  local name=$1
  shift
  "$swift/swiftc" -target $target -enable-experimental-feature Embedded -wmo -O -parse-as-library -Xcc -msimd128 -Xcc -isystem -Xcc /usr/include/wasm32-wasi \
    -I "$objects" -I "$numerics/Sources/_NumericsShims/include" -module-name "$name" -c -o "$objects/$name.o" "$@"
}

own=(-swift-version 6 -package-name chirp -warnings-as-errors -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature InternalImportsByDefault)

files() { find "$@" -name '*.swift' | LC_ALL=C sort; }

"$swift/clang" --target=wasm32-unknown-wasi -O3 -msimd128 -isystem /usr/include/wasm32-wasi \
  -I "$numerics/Sources/_NumericsShims/include" -c -o "$objects/shims.o" "$numerics/Sources/_NumericsShims/_NumericsShims.c"
# Where an assertion of the C library fails, it would print with all of printf, which nobody reads.
echo '_Noreturn void __assert_fail(const char *text, const char *file, int line, const char *name) { __builtin_trap(); }' |
  "$swift/clang" --target=wasm32-unknown-wasi -O3 -x c -c -o "$objects/assert.o" -
compile RealModule -suppress-warnings -emit-module -emit-module-path "$objects/RealModule.swiftmodule" \
  $(files "$numerics/Sources/RealModule")
# One module with the entry points, as one that is imported cannot have what is not copyable; with the meter of tones, which
# is all that it takes of the module for sound.
sed '/^[a-z]* *import Chirp$/d' Sources/ChirpSound/Live/ToneMeter.swift >"$objects/ToneMeter.swift"
compile Chirp "${own[@]}" $(files Sources/Chirp Sources/ChirpWasm) "$objects/ToneMeter.swift"

exports=$(sed -n 's/.*@_expose(wasm, "\(.*\)").*/--export=\1/p' Sources/ChirpWasm/*.swift)
"$swift/wasm-ld" --no-entry --gc-sections --strip-all --allow-undefined --initial-memory=2097152 -z stack-size=262144 \
  --stack-first $exports --export=_initialize -o "$folder/linked.wasm" "$objects"/{Chirp,RealModule,shims,assert}.o \
  "$resources/embedded/$target/libswiftUnicodeDataTables.a" "$libc/libc.a" "$libc/libm.a" "$builtins" \
  "$libc/crt1-reactor.o"
# Of large functions that are called once the code is smaller where it is left alone. The first kilobyte of memory is the stack's
# end, where nothing is: what is added to addresses may become a part of the instructions that load and store.
wasm-opt -O3 --shrink-level=2 --converge --low-memory-unused --one-caller-inline-max-function-size=20 --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
  --strip-debug --strip-producers -o "$folder/chirp.wasm" "$folder/linked.wasm"
cp Sources/ChirpService/Resources/chirp.{js,d.ts} "$folder"
# What Node has to know of files that end in .js.
echo '{ "type": "module" }' >"$folder/package.json"
