/**
 * Machines that share a disk, and the processes on them. A process runs the bundled program of the builder with its own clock, pid
 * and files. A killed process never gets an answer again.
 * @module
 */
import childProcess from "node:child_process";
import crypto, { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import { promisify } from "node:util";
import * as duckdb from "@duckdb/node-api";
import type { BuildPlan, Task } from "../../../pipeline/builder/plan/index.ts";
import type { Random } from "../../../web/engine/testing/random.ts";
import type { Globals } from "../program.ts";
import type { Scheduled, VirtualTime } from "../virtual-time.ts";
import { type SimulatedDisk, systemError } from "./disk.ts";
import { type Call, FILE_CALLS, filesOf } from "./files.ts";
import type { Builder } from "./recordings.ts";

export const START_MS = Date.UTC(2026, 10, 29);

/** What happens to a call of a process. */
export type Trouble =
  | { readonly kind: "killed"; readonly when: "before" | "half" | "after" }
  | { readonly kind: "fails"; readonly code: string }
  | { readonly kind: "suspended"; readonly ms: number };

export interface Host {
  readonly name: string;
  bootId: string;
  /** How far its clock is wrong. */
  clockMs: number;
}

export interface Process {
  readonly name: string;
  readonly host: Host;
  readonly pid: number;
  readonly started: number;
  isGone: boolean;
  suspendedUntilMs: number;
  calls: number;
  /** Called when it ends: with its exit code, or undefined if it was killed. */
  readonly onEnd: ((code: number | undefined) => void)[];
}

export interface MachinesOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly disk: SimulatedDisk;
  readonly pool: ProgramPool;
  readonly troubleOf: (process: Process, call: Call) => Trouble | undefined;
  /** Does a task without DuckDB: writes its recorded files, and returns its recorded result. */
  readonly replay: (process: Process, asked: Replay) => Promise<unknown>;
  /** Runs a command of a cluster. Returns what it prints. */
  readonly run: (name: string, args: readonly string[]) => string;
}

export interface Replay {
  readonly key: string;
  readonly folder: string;
  readonly plan: BuildPlan | undefined;
  readonly task: Task | undefined;
  readonly files: ReturnType<typeof filesOf>["files"];
}

/** A program that serves one process after another, because starting one takes 0.1 s. */
export interface PooledProgram {
  readonly program: Builder;
  current: { readonly process: Process; readonly machines: Machines } | undefined;
}

export interface ProgramPool {
  readonly start: (globals: Globals) => Builder;
  readonly idle: PooledProgram[];
}

/** Names that a process gets from its machine. */
export const PROCESS_GLOBALS = [
  "require",
  "process",
  "performance",
  "Date",
  "crypto",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "replayed",
] as const;

const requirePackage = createRequire(import.meta.url);

const never = <T>(): Promise<T> => new Promise<T>(() => {});

export class Machines {
  readonly options: MachinesOptions;
  readonly processes = new Set<Process>();
  /** The process whose call is done now. */
  acting: Process | undefined;
  /** Programs in use. */
  readonly #used: PooledProgram[] = [];

  constructor(options: MachinesOptions) {
    this.options = options;
  }

  /** Starts a process. `main` returns its exit code. */
  start(host: Host, name: string, main: (program: Builder) => Promise<number>): Process {
    const { time, pool } = this.options;
    const process: Process = {
      ...{ name, host, pid: this.#freePid(host), started: Math.round(1000 * time.nowMs()) },
      ...{ isGone: false, suspendedUntilMs: 0, calls: 0, onEnd: [] },
    };
    this.processes.add(process);
    const pooled = pool.idle.pop() ?? startProgram(pool.start);
    pooled.current = { process, machines: this };
    void main(pooled.program).then((code) => {
      if (process.isGone) return;
      // A process that failed may have left work behind.
      if (code === 0) pool.idle.push(pooled);
      this.#end(process, code);
    });
    this.#used.push(pooled);
    return process;
  }

  kill(process: Process): void {
    this.#end(process, undefined);
  }

  /** Ends all processes at once. */
  losePower(hosts: readonly Host[]): void {
    for (const process of this.processes) this.kill(process);
    for (const host of hosts) host.bootId = `boot ${this.options.time.nowMs()}`;
  }

  /** Ends the session: programs of killed processes can be used again. */
  close(): void {
    const { idle } = this.options.pool;
    for (const process of this.processes) process.isGone = true;
    for (const program of new Set(this.#used)) if (!idle.includes(program)) idle.push(program);
  }

  #end(process: Process, code: number | undefined): void {
    if (process.isGone) return;
    process.isGone = true;
    this.processes.delete(process);
    for (const tell of process.onEnd) this.options.time.schedule(0, () => tell(code));
  }

  /** The pid of a process that ended is used again. */
  #freePid(host: Host): number {
    let pid = 100;
    while (this.processOf(host, pid)) pid++;
    return pid;
  }

  /** Does the work of a call after a moment, unless something happens to it. */
  io<T>(process: Process, call: Call, work: () => T, half?: () => void): Promise<T> {
    const { time, random, troubleOf } = this.options;
    if (process.isGone) return never();
    return new Promise((resolve, reject) => {
      const begin = () => {
        if (process.isGone) return;
        if (process.suspendedUntilMs > time.nowMs())
          return void time.schedule(process.suspendedUntilMs - time.nowMs(), begin);
        process.calls++;
        const trouble = troubleOf(process, call);
        if (process.isGone) return;
        this.acting = process;
        try {
          if (trouble?.kind === "suspended") {
            process.suspendedUntilMs = time.nowMs() + trouble.ms;
            return begin();
          }
          if (trouble?.kind === "fails") throw systemError(trouble.code, call.name, call.path);
          if (trouble) {
            if (trouble.when === "after") work();
            if (trouble.when === "half") half?.();
            return this.kill(process);
          }
          resolve(work());
        } catch (error) {
          reject(error);
        } finally {
          this.acting = undefined;
        }
      };
      time.schedule(random.between(0, 2), begin);
    });
  }

  /** Runs something later, unless the process has ended, and not while it is suspended. */
  later(process: Process, delayMs: number, run: () => void): Scheduled {
    const { time } = this.options;
    return time.schedule(delayMs, () => {
      if (process.isGone) return;
      if (process.suspendedUntilMs > time.nowMs()) this.later(process, process.suspendedUntilMs - time.nowMs(), run);
      else run();
    });
  }

  /** Files that the system makes. */
  systemFile({ host }: Process, path: string): string | undefined {
    if (path === "/proc/sys/kernel/random/boot_id") return `${host.bootId}\n`;
    if (path === "/proc/self/ns/pid") return "pid:[1]";
    const pid = /^\/proc\/(\d+)\/stat$/.exec(path)?.[1];
    const found = pid === undefined ? undefined : this.processOf(host, Number(pid));
    return found && `${pid} (node) S${" 0".repeat(18)} ${found.started}`;
  }

  processOf(host: Host, pid: number): Process | undefined {
    return [...this.processes].find((process) => process.host === host && process.pid === pid);
  }
}

/** DuckDB only starts: all its work is replayed. */
class NoDuckDb {
  static async create() {
    return new NoDuckDb();
  }
  async connect() {
    return {
      async run(sql: string) {
        if (!sql.startsWith("SET ")) throw new Error(`DuckDB is not simulated: ${sql}`);
      },
      closeSync() {},
    };
  }
  closeSync() {}
}

/** Starts a program whose globals lead to the process that uses it. */
function startProgram(start: ProgramPool["start"]): PooledProgram {
  const current = () => {
    if (!pooled.current) throw new Error("no process uses this program");
    return pooled.current;
  };
  const process = () => current().process;
  const machines = () => current().machines;
  const unique = (digits: number) =>
    Array.from({ length: digits }, () => machines().options.random.below(16).toString(16)).join("");
  const nowMs = () => START_MS + machines().options.time.nowMs() + process().host.clockMs;
  let bound: { of: Machines; files: ReturnType<typeof filesOf> } | undefined;
  const files = () => {
    if (bound?.of !== machines()) {
      const caller = () => ({
        io: <T>(call: Call, work: () => T, half?: () => void) => machines().io(process(), call, work, half),
        systemFile: (path: string) => machines().systemFile(process(), path),
        unique,
      });
      bound = { of: machines(), files: filesOf(machines().options.disk, caller) };
    }
    return bound.files;
  };
  /** The script reads the names of the module when it starts. */
  const forwarded = Object.fromEntries(
    FILE_CALLS.map((name) => [name, (...args: unknown[]) => Reflect.apply(files().files[name], undefined, args)]),
  );
  const repeat = (run: () => void, everyMs: number) => {
    const timer = { isCancelled: false, unref: () => timer };
    const { process, machines } = current();
    const again = (): void => {
      machines.later(process, everyMs, () => {
        if (timer.isCancelled) return;
        run();
        again();
      });
    };
    again();
    return timer;
  };
  const cancel = (timer: { isCancelled: boolean } | undefined) => {
    if (timer) timer.isCancelled = true;
  };
  const later = (run: () => void, delayMs = 0) => {
    const { process, machines } = current();
    const timer = { isCancelled: false, unref: () => timer };
    machines.later(process, delayMs, () => timer.isCancelled || run());
    return timer;
  };
  const execFile = Object.assign(() => {}, {
    [promisify.custom]: async (name: string, args: readonly string[]) => ({
      stdout: await machines().io(process(), { name: "exec", path: name }, () => machines().options.run(name, args)),
    }),
  });
  const modules: Readonly<Record<string, unknown>> = {
    "node:fs/promises": forwarded,
    "node:fs": { ...fs, createReadStream: (path: string) => files().createReadStream(path) },
    "node:os": { ...os, hostname: () => process().host.name, availableParallelism: () => 2 },
    "node:timers/promises": { setTimeout: (ms: number) => new Promise<void>((resolve) => later(resolve, ms)) },
    "node:crypto": {
      ...crypto,
      randomUUID: () => `${unique(8)}-${unique(12)}`,
      randomBytes: (bytes: number) => Buffer.from(unique(2 * bytes), "hex"),
    },
    "node:child_process": {
      ...childProcess,
      execFile,
      spawn: (_: string, args: readonly string[]) => spawn(current(), args),
    },
    "@duckdb/node-api": { ...duckdb, DuckDBInstance: NoDuckDb },
  };
  const own = {
    get pid() {
      return process().pid;
    },
    execPath: "node",
    get env() {
      return { HOST: process().host.name };
    },
    kill(pid: number) {
      if (machines().processOf(process().host, pid)) return true;
      throw Object.assign(new Error("no such process"), { code: "ESRCH" });
    },
  };
  const pooled: PooledProgram = {
    current: undefined,
    program: start({
      require: (name: string) => modules[name] ?? requirePackage(name),
      process: inherit(own),
      performance: { now: () => machines().options.time.nowMs() },
      Date: class extends Date {
        constructor(...args: [] | [number | string]) {
          super(args.length === 0 ? nowMs() : args[0]);
        }
        static override now() {
          return nowMs();
        }
      },
      // The real one uses threads, whose order is random.
      crypto: {
        subtle: {
          digest: async (_: string, bytes: Uint8Array) =>
            Uint8Array.from(createHash("sha256").update(bytes).digest()).buffer,
        },
      },
      setTimeout: later,
      clearTimeout: cancel,
      setInterval: repeat,
      clearInterval: cancel,
      replayed: (key: string, folder: string, _: unknown, plan?: BuildPlan, task?: Task) =>
        machines().options.replay(process(), { key, folder, plan, task, files: files().files }),
    }),
  };
  return pooled;
}

/** The real `process` with other members. */
function inherit(own: object): object {
  return Object.create(process, Object.getOwnPropertyDescriptors(own));
}

/** Starts a worker of the process executor on the same host. */
function spawn({ process, machines }: NonNullable<PooledProgram["current"]>, args: readonly string[]) {
  const value = (option: string) => args[args.indexOf(option) + 1] ?? "";
  const child = startWorker(machines, process.host, {
    ...{ plan: value("--plan"), build: value("--build"), stage: value("--stage") },
    ...{ index: Number(value("--index")), memoryBytes: Number(value("--memory")) },
  });
  const emitter = Object.assign(new EventEmitter(), { pid: child.pid });
  child.onEnd.push(
    (code) => process.isGone || emitter.emit("exit", code ?? null, code === undefined ? "SIGKILL" : null),
  );
  return emitter;
}

export interface WorkerArguments {
  readonly plan: string;
  readonly build: string;
  readonly stage: string;
  readonly index: number;
  readonly memoryBytes: number;
}

/** Starts `cairn worker`. */
export function startWorker(machines: Machines, host: Host, { plan, ...which }: WorkerArguments): Process {
  return machines.start(host, `worker ${which.stage}-${which.index} on ${host.name}`, ({ runWorkerTask }) =>
    runWorkerTask(plan, which).then(
      () => 0,
      () => 1,
    ),
  );
}
