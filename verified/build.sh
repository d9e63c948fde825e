#!/bin/sh
# Builds the program from what was extracted: build.sh NAME puts it into build/.
set -e
cd "$(dirname "$0")/build"
cp ../driver/*.ml ../driver/*.c .
rm -f checker.mli  # what it hides could not be inlined
ocamlfind ocamlopt -package unix -linkpkg -inline 400 -w -a \
	uint63.ml progress.ml checker.ml sha256.ml zstd_stubs.c main.ml -cclib -lzstd -o "$1"
