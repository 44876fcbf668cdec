"""
Carries out tasks of a build as tasks of Spark, stage by stage: each runs the program on the node that Spark picks. The
one argument is the file that says what to run. What was done is seen in the tasks' records.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys

from pyspark.sql import SparkSession

PR_SET_PDEATHSIG = 1


def end_with_parent():
    """A second attempt that lost, or one that Spark gave up, ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def run_task(command, tasks_folder, failures_folder, index, key):
    """Raises where another attempt may help. One that says why it failed would fail again, and ends the build."""
    if os.path.exists(os.path.join(tasks_folder, key)):
        return
    # whoever planned the tasks is about to say why one failed
    if os.path.isdir(failures_folder) and os.listdir(failures_folder):
        return
    on_linux = {"preexec_fn": end_with_parent} if sys.platform == "linux" else {}
    code = subprocess.Popen([*command, str(index)], stdin=subprocess.DEVNULL, **on_linux).wait()
    if os.path.exists(os.path.join(tasks_folder, key)) or os.path.exists(os.path.join(failures_folder, key)):
        return
    raise RuntimeError(f"task {index} of {' '.join(command)} ended with {code} and left no record")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        asked = json.load(file)
    tasks_folder, failures_folder = asked["tasksFolder"], asked["failuresFolder"]
    context = SparkSession.builder.getOrCreate().sparkContext
    try:
        for stage in asked["stages"]:
            command, tasks = stage["command"], stage["tasks"]
            context.setJobDescription(stage["name"])
            context.parallelize(tasks, len(tasks)).foreach(
                lambda task: run_task(command, tasks_folder, failures_folder, *task)
            )
            # later stages need what is missing
            if not all(os.path.exists(os.path.join(tasks_folder, key)) for _, key in tasks):
                break
    finally:
        context.stop()


main()
