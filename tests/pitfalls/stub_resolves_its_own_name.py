"""libcudnn's stub looks its own function up by name: a hook that goes by prefix or its own path recurses until death."""
import os
import shutil
import tempfile

from traced import LIBRARY, equal, fixture, same

equal(same(fixture("uses_cudnn"), timeout=10).out, "0 0 0 handle\n", "cudnnCreate by link, handle and name")
with tempfile.TemporaryDirectory(prefix="libcudnn(odd)+") as folder:
    copy = shutil.copy(LIBRARY, os.path.join(folder, "libcudnn.so.9.libcuda.so.1"))
    equal(same(fixture("uses_cudnn"), traced=copy, timeout=10).out, "0 0 0 handle\n", "with the tracer in an odd place")
    equal(same(fixture("allocates"), traced=copy).trace["live_bytes"], 3000, "bytes left, tracer in an odd place")
