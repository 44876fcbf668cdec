/**
 * Spark for tests: the machine's Java, Spark from PyPI, and a standalone cluster on one machine.
 * @module
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { promisify } from "node:util";
import { environmentWith } from "./python.ts";

const run = promisify(execFile);

const PYSPARK = "pyspark==4.0.1";

/** In short processes, full JIT compilation costs more than it saves. */
const SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/** Makes Spark's programs available to this process and its children. Returns the reason if they are not available. */
export async function haveSpark(): Promise<string | undefined> {
  const javaFault = await run("java", ["-version"]).then(
    () => undefined,
    () => "there is no Java",
  );
  if (javaFault !== undefined) return javaFault;
  const environment = await environmentWith([PYSPARK]);
  if (typeof environment === "string") return environment;
  Object.assign(process.env, {
    PATH: `${environment.programs}${delimiter}${process.env.PATH}`,
    SPARK_LOCAL_IP: "127.0.0.1",
    JAVA_TOOL_OPTIONS: SHORT_LIVED,
  });
  return undefined;
}

export interface StandaloneCluster {
  readonly master: string;
  readonly close: () => Promise<void>;
}

/** Starts a master and workers with one processor each, on free ports; `memory` is the memory that each reports. */
export async function startCluster(folder: string, workers: number, memory = "1g"): Promise<StandaloneCluster> {
  const running: ChildProcess[] = [];
  const start = async (what: string, args: readonly string[], ready: RegExp): Promise<string> => {
    const common = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"];
    const child = spawn("spark-class", [`org.apache.spark.deploy.${what}`, ...common, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    running.push(child);
    let said = "";
    for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
      said += String(text);
      const found = ready.exec(said)?.[0];
      if (found === undefined) continue;
      child.stderr.resume();
      return found;
    }
    throw new Error(`${what} ended: ${said}`);
  };
  const close = async (): Promise<void> => {
    for (const child of running) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, "exit");
    }
  };
  try {
    const master = await start("master.Master", [], /spark:\/\/127\.0\.0\.1:\d+/);
    const own = ["--cores", "1", "--memory", memory, "--work-dir", folder, master];
    await Promise.all(Array.from({ length: workers }, () => start("worker.Worker", own, /registered with master/)));
    return { master, close };
  } catch (error) {
    await close();
    throw error;
  }
}
