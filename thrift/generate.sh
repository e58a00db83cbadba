#!/bin/sh
# Makes wire/zparquet.go from parquet.thrift with the Apache Thrift compiler
# (0.17). Running it again changes nothing.
set -eu
cd "$(dirname "$0")"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
thrift --gen go:package_prefix=github.com/winnow-scan/winnow/thrift/,skip_remote -out "$out" parquet.thrift

# The compiler's other two files hold nothing: no constants are declared, and
# what the imports need is in the first one.
gofmt -s "$out/wire/parquet.go" > wire/zparquet.go
