"""
Carries out tasks of a build as tasks of Spark, stage by stage: each runs the program on the node that Spark picks. The
one argument is the file that says what to run. What was done is seen in the tasks' records.
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
    """A second attempt that lost, or one that Spark gave up, ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def run_task(asked, stage, index, key, memory):
    """
    Raises where another attempt may help. One that says why it failed would fail again, and ends the build; one that
    died of too little memory is submitted with more.
    """
    record = os.path.join(asked["tasksFolder"], key)
    failures_folder, out_of_memory_folder = asked["failuresFolder"], asked["outOfMemoryFolder"]
    marker = os.path.join(out_of_memory_folder, f"{stage['name']}-{index}")
    if os.path.exists(record):
        return
    # whoever planned the tasks is about to say why one failed
    if os.path.isdir(failures_folder) and os.listdir(failures_folder):
        return
    on_linux = {"preexec_fn": end_with_parent} if sys.platform == "linux" else {}
    command = [*stage["commands"][memory], str(index)]
    code = subprocess.Popen(command, stdin=subprocess.DEVNULL, **on_linux).wait()
    # by a signal: as a shell tells it
    code = 128 - code if code < 0 else code
    if code in asked["outOfMemoryCodes"]:
        os.makedirs(out_of_memory_folder, exist_ok=True)
        with open(marker, "w", encoding="utf-8"):
            pass
    if any(os.path.exists(path) for path in (record, marker, os.path.join(failures_folder, key))):
        return
    raise RuntimeError(f"{' '.join(command)} ended with {code} and left no record")


def end_with_build(pid):
    """One that was killed is begun again, and would meet what this application goes on writing."""
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
    # with --deploy-mode cluster the driver stands elsewhere
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
            # later stages need what is missing
            if not all(os.path.exists(os.path.join(asked["tasksFolder"], key)) for _, key, _ in tasks):
                break
    finally:
        context.stop()


main()
