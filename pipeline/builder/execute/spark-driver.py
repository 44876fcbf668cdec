"""
Runs the tasks of a build as tasks of Spark, stage by stage. Each Spark task runs the program on the node that Spark
chooses. The one argument is a JSON file from the Spark executor of the build, with the commands. The build reads the
results from the records of the tasks.
"""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

from pyspark.sql import SparkSession

PR_SET_PDEATHSIG = 1
BUILD_POLL_SECONDS = 1


def end_with_parent():
    """Makes a new process end with its parent, because Spark kills only the parent of an attempt that it gives up."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def run_task(asked, stage, index, key, memory):
    """
    Runs one task. Returns if it is finished, if it stored its error, which ends the build, or if it ran out of memory:
    then the build submits it again with more. Raises in other cases, so that Spark tries again.
    """
    record = os.path.join(asked["tasksFolder"], key)
    failures_folder, out_of_memory_folder = asked["failuresFolder"], asked["outOfMemoryFolder"]
    marker = os.path.join(out_of_memory_folder, f"{stage['name']}-{index}")
    if os.path.exists(record):
        return
    # the build is about to report the error of a failed task
    if os.path.isdir(failures_folder) and os.listdir(failures_folder):
        return
    on_linux = {"preexec_fn": end_with_parent} if sys.platform == "linux" else {}
    command = [*stage["commands"][memory], str(index)]
    code = subprocess.Popen(command, stdin=subprocess.DEVNULL, **on_linux).wait()
    # after a signal: the code that a shell returns
    code = 128 - code if code < 0 else code
    if code in asked["outOfMemoryCodes"]:
        os.makedirs(out_of_memory_folder, exist_ok=True)
        with open(marker, "w", encoding="utf-8"):
            pass
    if any(os.path.exists(path) for path in (record, marker, os.path.join(failures_folder, key))):
        return
    raise RuntimeError(f"{' '.join(command)} ended with {code} and left no record")


def end_with_build(pid):
    """Ends this program when the build has ended: a new build must not meet files that this one still writes."""
    while True:
        time.sleep(BUILD_POLL_SECONDS)
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            os._exit(1)
        except PermissionError:
            pass


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        asked = json.load(file)
    stages, build = asked.pop("stages"), asked.pop("build")
    # with --deploy-mode cluster the driver runs on another machine
    if socket.gethostname() == build["host"]:
        threading.Thread(target=end_with_build, args=(build["pid"],), daemon=True).start()
    context = SparkSession.builder.getOrCreate().sparkContext
    try:
        for stage in stages:
            tasks = stage.pop("tasks")
            context.setJobDescription(stage["name"])
            context.parallelize(tasks, len(tasks)).foreach(
                lambda task: run_task(asked, stage, *task)
            )
            # later stages need the missing output
            if not all(os.path.exists(os.path.join(asked["tasksFolder"], key)) for _, key, _ in tasks):
                break
    finally:
        context.stop()


main()
