"""How lit runs the tests of passes, plugin and programs.

A test is a file test/<pass or room>/<behaviour>.{ll,cu,test}; its RUN lines use
the substitutions below. Without ptxas, tests that say `REQUIRES: ptxas` are
skipped, as those that say `REQUIRES: gpu` are without a GPU.

In a sanitizer build clang++ and opt, which are not instrumented, get the sanitizer's
library preloaded, since they load the plugin, which is. Under ThreadSanitizer only
those of test/e2e are run in which things happen at the same time.
"""
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "GpuPrune"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".cu", ".test"]
config.excludes = ["unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.gpuprune_binary_dir, "test", "lit")

# Compilers are found the way a user's shell finds them.
variables = ["PATH", "HOME", "XDG_DATA_HOME", "TMPDIR", "CUDA_HOME"]
for name in variables + ["GPUPRUNE_CUDA", "GPUPRUNE_CLANG", "GPUPRUNE_PTXAS"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
path = [config.llvm_tools_dir, config.environment.get("PATH", "")]

# The toolkit that gpuprune takes; clang++ looks around the ptxas on the PATH.
cuda_toolkit = os.path.join(config.gpuprune_source_dir, "tools", "cuda-toolkit")
cuda = subprocess.run([cuda_toolkit, "find"], capture_output=True, text=True).stdout.strip()
if cuda:
    path.insert(1, os.path.join(cuda, "bin"))
config.environment["PATH"] = os.pathsep.join(path)


# Tests that are about the database name one; the others must not see each other's results.
config.environment["GPUPRUNE_DB"] = "none"


def find(name, variable):
    return os.environ.get(variable) or shutil.which(name, path=config.environment["PATH"])


bin_dir = os.path.join(config.gpuprune_binary_dir, "bin")
plugin = os.path.join(config.gpuprune_binary_dir, "lib", "libGpuPrune.so")
ptxas = find("ptxas", "GPUPRUNE_PTXAS")
with_environment = "env %s " % config.gpuprune_plugin_environment if config.gpuprune_sanitize else ""
config.environment["GPUPRUNE_PLUGIN_ENVIRONMENT"] = config.gpuprune_plugin_environment
if config.gpuprune_sanitize:
    config.available_features.add("sanitizer")
# Jobs that compile and check, the runner beside them, what several processes write to, signals.
at_the_same_time = [
    "budget", "bundle", "compare-requests", "compile-cache", "cpu-check", "cpu-equals-gpu",
    "database", "database-final", "database-killed", "database-shared", "duplicates-machine-code",
    "every-device", "final-rounds", "interrupt", "jobs", "measured", "model-guided-beside", "phases",
    "record", "replay", "runner-fails", "sequence", "sequence-budget", "sequence-repeat", "sequence-swap",
    "survey", "survey-prepares-ahead", "table-and-json", "watchdog", "wrong-never-wins",
]
if config.gpuprune_sanitize == "thread":
    config.excludes += [d for d in os.listdir(config.test_source_root) if d != "e2e"] + ["bad-input"]
    tests = os.listdir(os.path.join(config.test_source_root, "e2e"))
    config.excludes += [t for t in tests if os.path.splitext(t)[0] not in at_the_same_time]
clangxx = with_environment + find("clang++", "GPUPRUNE_CLANG") + " -Wno-unknown-cuda-version"

# What gpuprune calls, unless the user names one; ccache's folder must not depend on a test's HOME.
if config.gpuprune_cached_clang:
    config.environment.setdefault("GPUPRUNE_CLANG", config.gpuprune_cached_clang)
    config.environment["CCACHE_DIR"] = os.environ.get("CCACHE_DIR") or os.path.expanduser("~/.cache/ccache")

config.substitutions += [
    ("%clang_device", clangxx + " -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O3"),
    ("%clang", clangxx),
    ("%with_plugin", "-fpass-plugin=" + plugin),
    ("%opt", with_environment + os.path.join(config.llvm_tools_dir, "opt") + " -load-pass-plugin=" + plugin),
    ("%llc", os.path.join(config.llvm_tools_dir, "llc") + " -O3 -mcpu=sm_90 -mattr=+ptx88"),
    ("%gpuprune-differential", os.path.join(config.gpuprune_binary_dir, "test", "differential", "gpuprune-differential")),
    ("%gpuprune-runner", os.path.join(bin_dir, "gpuprune-runner")),
    ("%gpuprune", os.path.join(bin_dir, "gpuprune")),
    ("%break_kernel", os.path.join(config.gpuprune_binary_dir, "test", "libBreakKernel.so")),
    ("%machine_code", os.path.join(config.gpuprune_binary_dir, "test", "MachineCode", "gpuprune-machine-code")),
    ("%fakecuda", os.path.join(config.gpuprune_binary_dir, "test", "unit", "libFakeCuda.so")),
    ("%fakenvml", os.path.join(config.gpuprune_binary_dir, "test", "unit", "libFakeNvml.so")),
    ("%nocuda", os.path.join(config.gpuprune_binary_dir, "no", "libcuda.so.1")),
    ("%recorded_program", os.path.join(config.gpuprune_binary_dir, "test", "unit", "recorded-program")),
    ("%fake_recording", "GPUPRUNE_CUPTI={0} GPUPRUNE_CUDA_DRIVER={0}".format(
        os.path.join(config.gpuprune_binary_dir, "test", "unit", "libFakeRecordedCuda.so"))),
    ("%python", sys.executable),
    ("%builddir", config.gpuprune_binary_dir),
    ("%libdir", os.path.join(config.gpuprune_binary_dir, "lib")),
    ("%exits", "python3 " + os.path.join(os.path.dirname(__file__), "e2e", "Inputs", "exits.py")),
    ("%check_report", "python3 " + os.path.join(os.path.dirname(__file__), "e2e", "Inputs", "check_report.py")),
    ("%cuda-toolkit", cuda_toolkit),
    ("%examples", os.path.join(config.gpuprune_source_dir, "examples")),
    ("%kernels", os.path.join(config.gpuprune_source_dir, "kernels")),
    ("%ptxas", (ptxas or "false") + " -arch=sm_90"),
]

if cuda and os.path.exists(os.path.join(cuda, "lib64", "libcudart_static.a")):
    config.available_features.add("cudart")
    config.substitutions.append(("%cudart", f"-L{cuda}/lib64 -lcudart_static -ldl -lrt -lpthread"))

ccache = shutil.which("ccache", path=config.environment["PATH"])
if ccache:
    config.available_features.add("ccache")
# For tests that compile many sources. Not with a plugin, which ccache does not know of.
config.substitutions.append(
    ("%cached_clang", (ccache + " " if ccache else "") + find("clang++", "GPUPRUNE_CLANG") + " -Wno-unknown-cuda-version"))

# Programs with kernels that run on the CPU: cuda-runtime/README.md. The library is built only with a toolkit
# and without a sanitizer.
cuda_for_cpu = os.path.join(config.gpuprune_binary_dir, "test", "cuda-runtime")
if os.path.exists(os.path.join(cuda_for_cpu, "libcudart.so")):
    config.available_features.add("cuda-for-cpu")
    config.substitutions.append(
        ("%cuda_for_cpu", "python3 %s --runtime=%s --clang='%s' %s" % (
            os.path.join(os.path.dirname(__file__), "cuda-runtime", "compile.py"), cuda_for_cpu, clangxx,
            "--ccache=" + ccache if ccache and config.gpuprune_cached_clang else "")))
    config.substitutions.append(("%cpu_cudart", f"-L{cuda_for_cpu} -Wl,-rpath,{cuda_for_cpu} -lcudart"))
    # Where thrust and cub are in CUDA 13.
    config.substitutions.append(("%cccl", f"-I{cuda}/include/cccl"))

if cuda:
    config.substitutions.append(("%cuda_include", f"-isystem {cuda}/include"))
if ptxas:
    config.available_features.add("ptxas")
# A toolkit with a compiler alone has no nvdisasm; the one from PyPI has, if it was fetched.
fetched = subprocess.run([cuda_toolkit, "find"], capture_output=True, text=True, env={**os.environ, "GPUPRUNE_CUDA": "pypi"})
nvdisasm = shutil.which("nvdisasm", path=config.environment["PATH"] + os.pathsep + os.path.join(fetched.stdout.strip(), "bin"))
if nvdisasm:
    config.available_features.add("nvdisasm")
    config.substitutions.append(("%nvdisasm_alone", nvdisasm))
    config.substitutions.append(("%nvdisasm", nvdisasm + " -c"))
# Pages are drawn in a browser where there is one.
browser = shutil.which("chromium", path=config.environment["PATH"])
if browser:
    config.available_features.add("browser")
    config.substitutions.append(("%dump_dom", browser + " --headless --no-sandbox --disable-gpu --virtual-time-budget=4000 --dump-dom"))
if shutil.which("xz", path=config.environment["PATH"]):
    config.available_features.add("xz")
# Whether a test may mount a disk that only it sees.
mounts = ["unshare", "--map-root-user", "--mount", "true"]
if shutil.which("unshare") and subprocess.run(mounts, capture_output=True).returncode == 0:
    config.available_features.add("disks")


def gpu_arch():
    """The compute capability of the first GPU, such as sm_90; None without one."""
    try:
        command = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader", "--id=0"]
        said = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return None
    return "sm_" + said.stdout.strip().replace(".", "") if said.returncode == 0 else None


if gpu_arch():
    config.available_features.add("gpu")
    config.substitutions.append(("%gpu_arch", gpu_arch()))
else:
    lit_config.note("no GPU here: tests that require one are skipped")
