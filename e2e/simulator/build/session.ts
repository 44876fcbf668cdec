/**
 * A session: builds of random inputs on machines that fail, and a last build without faults.
 * @module
 */
import { dirname, join } from "node:path";
import { randomFrom } from "../../../web/engine/testing/random.ts";
import { createVirtualTime } from "../virtual-time.ts";
import { isFolder, SimulatedDisk } from "./disk.ts";
import { type Call, prepareFolder } from "./files.ts";
import {
  type Host,
  Machines,
  type Process,
  type ProgramPool,
  type Replay,
  START_MS,
  type Trouble,
} from "./machines.ts";
import { DatasetModel, Wrong } from "./model.ts";
import { type Builder, contentOf, FOLDER, type Input, type Recordings, TASK_ROWS } from "./recordings.ts";
import { createSlurm } from "./slurm.ts";

export interface World extends ProgramPool {
  readonly recordings: Recordings;
}

export const COUNTS = ["builds", "finished", "failed", "killed", "calls", "troubles", "powerLosses", "waits"] as const;
export type Counts = Record<(typeof COUNTS)[number], number>;

export interface SessionResult {
  readonly seed: number;
  readonly fault: string | undefined;
  readonly counts: Counts;
}

const DATASET = "/data/out";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A build ends within this time, whatever happens. */
const LONGEST_BUILD_MS = 24 * HOUR_MS;
/** A build makes about this many calls. */
const CALLS = 3500;
const CODES = ["ENOSPC", "EIO", "EMFILE", "EACCES"] as const;
/** Calls that need space. */
const WRITES = new Set(["write", "mkdir", "fsync", "rename", "link"]);

interface Running {
  readonly input: Input;
  readonly process: Process;
  /** Whether a trouble or another build is a reason to fail. */
  hasReason: boolean;
  isEnded: boolean;
}

/** Runs the session of a seed. `log` gets its steps. */
export async function runSession(seed: number, world: World, log?: (line: string) => void): Promise<SessionResult> {
  const time = createVirtualTime();
  const random = randomFrom(seed);
  const { recordings } = world;
  const disk = new SimulatedDisk(() => START_MS + time.nowMs());
  const model = new DatasetModel(disk, DATASET, recordings);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;
  const note = (line: string) => log?.(`${(time.nowMs() / 1000).toFixed(3)} ${line}`);
  let fault: string | undefined;
  const fail = (error: unknown) => {
    fault ??= error instanceof Wrong ? error.message : String(error instanceof Error ? error.stack : error);
  };

  const host = (name: string): Host => ({ name, bootId: "boot 0", clockMs: 0 });
  const hosts = ["alpha", "beta"].map(host);
  const nodes = ["node-1", "node-2", "node-3"].map(host);
  const slurm = createSlurm(time, nodes, () => machines);
  const kind = random.of(["local", "local", "processes", "slurm"] as const);
  const settings = {
    kind,
    keep: random.below(2) === 0,
    shareBytes: random.of([1, 20_000, undefined]),
    temp: random.below(3) === 0 ? "/temp/here" : undefined,
    scratch: random.below(4) === 0 ? "/scratch/$HOST" : undefined,
  };
  note(JSON.stringify(settings));

  const running = new Set<Running>();
  /** What happens at a call, by the number of calls from now. */
  let planned: { left: number; happen: (process: Process, call: Call) => Trouble | undefined | "later" }[] = [];
  let failing: { left: number; share: number; code: string } | undefined;

  function troubled(what: string): void {
    counts.troubles++;
    note(what);
    for (const build of running) build.hasReason = true;
  }

  function troubleOf(process: Process, call: Call): Trouble | undefined {
    counts.calls++;
    for (const one of [...planned]) {
      if (one.left-- > 0) continue;
      const trouble = one.happen(process, call);
      if (trouble === "later") continue;
      planned = planned.filter((other) => other !== one);
      if (trouble) {
        troubled(`${process.name}: ${Object.values(trouble).join(" ")}, ${call.name} ${call.path}`);
        return trouble;
      }
    }
    if (!failing || failing.left-- <= 0) return undefined;
    const { code, share } = failing;
    if (!mayFail(call, code) || random.between(0, 1) >= share) return undefined;
    troubled(`${process.name}: fails ${code}, ${call.name} ${call.path}`);
    return { kind: "fails", code };
  }

  const mayFail = ({ name }: Call, code: string) =>
    !["close", "task", "exec"].includes(name) && (code !== "ENOSPC" || WRITES.has(name));

  /**
   * A build checks its lock before it changes the dataset. A process that is suspended for a minute between the check and the change
   * cannot know: it is only suspended where a check follows.
   */
  const mayBeSuspended = ({ name, path }: Call) =>
    name === "task" ||
    (name === "open" && path.endsWith(".build.lock")) ||
    (["write", "mkdir"].includes(name) && !path.startsWith(DATASET));

  async function replay(process: Process, { key, folder, plan, task, files }: Replay): Promise<unknown> {
    const made = recordings.made.get(key);
    if (!made) throw new Wrong(`no input has this part of a build: ${key}`);
    await machines.io(
      process,
      { name: "task", path: task ? `${task.stage} ${task.collection} ${key}` : key },
      () => {},
    );
    const tookMs = random.below(8) === 0 ? random.magnitude(1000, 30_000) : random.between(5, 500);
    await new Promise<void>((resolve) => machines.later(process, tookMs, resolve));
    for (const { name, tasks } of plan?.stages ?? []) {
      if (name === task?.stage) break;
      for (const earlier of tasks) checkInput(join(plan?.work ?? "", "tasks", earlier.key), earlier.key);
    }
    for (const [path, bytes] of made.files) {
      const target = join(folder ?? "", path);
      await makeFolders(files, dirname(target));
      await files.writeFile(target, bytes);
    }
    return made.result && JSON.parse(made.result.replaceAll(FOLDER, folder ?? FOLDER));
  }

  async function makeFolders(files: Replay["files"], path: string): Promise<void> {
    if (disk.find(path)) return;
    await makeFolders(files, dirname(path));
    await files.mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }

  /** A task reads what earlier ones made: it must be as they made it. */
  function checkInput(folder: string, key: string): void {
    const record = disk.find(`${folder}/record.json`);
    const content = record && !isFolder(record) ? contentOf(record.bytes) : undefined;
    const made = recordings.made.get(content ?? key);
    for (const [path, bytes] of made?.files ?? []) {
      const entry = disk.find(`${folder}/${path}`);
      // It may be removed, or published: DuckDB would report that.
      if (entry && !isFolder(entry) && entry.bytes !== bytes && !entry.bytes.equals(bytes))
        fail(new Wrong(`a task reads ${path} of ${key}, which is damaged`));
    }
  }

  const machines = new Machines({
    time,
    random,
    disk,
    pool: world,
    troubleOf,
    replay,
    run: (...args) => slurm.run(...args),
  });

  disk.onChange = (path) => {
    if (!path.startsWith(`${DATASET}/`) || fault !== undefined) return;
    try {
      model.onChange(path);
      const { acting } = machines;
      if (!acting?.name.startsWith("build") || /\/\.build\.lock/.test(path)) return;
      const lock = disk.find(`${DATASET}/.build.lock`);
      const holder = lock && !isFolder(lock) ? lock.bytes.toString() : "";
      if (!holder.includes(`"pid":${acting.pid},"host":"${acting.host.name}"`))
        throw new Wrong(`${acting.name} changed ${path}, and the lock is of ${holder || "no build"}`);
    } catch (error) {
      fail(error);
    }
  };

  function build(input: Input, at: Host): Running {
    counts.builds++;
    model.allowed.add(input.name);
    const others = [...running].filter(({ isEnded }) => !isEnded);
    const started: Running = {
      input,
      isEnded: false,
      hasReason: others.length > 0,
      process: machines.start(at, `build ${input.name} on ${at.name}`, main),
    };
    for (const other of others) other.hasReason = true;
    running.add(started);
    started.process.onEnd.push((code) => {
      started.isEnded = true;
      if (code === undefined) counts.killed++;
    });
    note(`${started.process.name} begins`);
    return started;

    async function main(program: Builder): Promise<number> {
      const { kind, ...others } = settings;
      const executor =
        kind === "slurm"
          ? program.slurmExecutor()
          : kind === "processes"
            ? program.processExecutor({ workers: 2 })
            : program.localExecutor({ threadAfterMs: Number.POSITIVE_INFINITY });
      try {
        await program.buildDataset({
          ...{
            sources: input.sources,
            out: DATASET,
            taskRows: TASK_ROWS,
            memoryBytes: 2 ** 30,
            threads: 2,
            executor,
            ...others,
          },
          onWait: () => void counts.waits++,
        });
        note(`build ${input.name} on ${at.name} is finished`);
        counts.finished++;
        const alive = [...running].filter((one) => one !== started && !one.isEnded);
        if (alive.length === 0) {
          for (const name of model.allowed) if (name !== input.name) model.allowed.delete(name);
          model.spoiled.clear();
          model.expectExact(input, true);
        }
        model.expectComplete();
        return 0;
      } catch (error) {
        if (error instanceof Wrong) fail(error);
        const message = error instanceof Error ? error.message : String(error);
        const code = program.codeOf(error);
        note(`build ${input.name} on ${at.name} failed: ${message} [${code}]`);
        counts.failed++;
        if (disk.freeBytes === 0 && code === "CAIRN_E_EXECUTOR")
          fail(new Wrong(`the disk is full, and the error is ${message}`));
        if (!started.hasReason) fail(new Wrong(`a build failed without a reason: ${message} [${code}]`));
        if (code === "CAIRN_E_FAILED")
          fail(new Wrong(`an error names no reason: ${error instanceof Error ? error.stack : message}`));
        return 1;
      }
    }
  }

  function losePower(): void {
    counts.powerLosses++;
    troubled("the power fails");
    machines.losePower([...hosts, ...nodes]);
    disk.losePower(random);
    try {
      model.expectComplete();
    } catch (error) {
      fail(error);
    }
  }

  /** Plans a trouble at a random call. */
  function plan(): void {
    const at = (happen: (typeof planned)[number]["happen"]) =>
      planned.push({
        left: random.below(2) === 0 ? random.below(CALLS) : Math.floor(random.magnitude(1, CALLS)),
        happen,
      });
    const now = (happen: (process: Process) => void) =>
      at((process) => {
        happen(process);
        return undefined;
      });
    const kinds: readonly (readonly [weight: number, plan: () => void])[] = [
      [2, () => at(() => ({ kind: "killed", when: random.of(["before", "half", "after"]) }))],
      [3, () => now(losePower)],
      [3, () => at((_, call) => (mayFail(call, code) ? { kind: "fails", code } : "later"))],
      [
        1,
        () =>
          now(() => {
            failing = { left: random.below(500), share: random.of([0.01, 0.1, 1]), code };
          }),
      ],
      [
        1,
        () =>
          now(() => {
            disk.freeBytes = random.below(100_000);
            troubled(`${disk.freeBytes} bytes are free`);
          }),
      ],
      [
        2,
        () => {
          const ms = random.magnitude(10_000, HOUR_MS);
          at((process, call) => {
            if (!mayBeSuspended(call)) return "later";
            // A build on another machine takes over the lock after a minute.
            const other = hosts.find((one) => one !== process.host) ?? process.host;
            if (random.below(2) === 0)
              time.schedule(random.between(0, ms), () => build(random.of(recordings.inputs), other));
            return { kind: "suspended", ms };
          });
        },
      ],
      [
        1,
        () =>
          now(({ host }) => {
            host.clockMs += random.spread(7 * 24 * HOUR_MS);
            troubled(`the clock of ${host.name} jumps`);
          }),
      ],
      [1, () => now(() => void build(random.of(recordings.inputs), random.of(hosts)))],
    ];
    const code = random.of(CODES);
    random.of(kinds.flatMap(([weight, plan]) => Array.from({ length: weight }, () => plan)))();
  }

  /** Another program changes files of the dataset. */
  function spoil(): void {
    for (let left = random.of([1, 5]); left > 0; left--) {
      const path = random.of([...disk.paths(DATASET)]);
      const entry = disk.find(path);
      if (!/\/[0-9a-f]{16}\.\w+$/.test(path) || !entry || isFolder(entry) || entry.bytes.length === 0) continue;
      const at = random.below(entry.bytes.length);
      entry.bytes =
        random.below(2) === 0
          ? entry.bytes.subarray(0, at)
          : Buffer.from(entry.bytes.with(at, (entry.bytes[at] ?? 0) ^ 1));
      model.spoiled.add(path.slice(DATASET.length + 1));
      note(`another program changes ${path}`);
    }
  }

  const ended = async () => {
    const limitMs = time.nowMs() + LONGEST_BUILD_MS;
    while ([...running].some(({ isEnded }) => !isEnded)) {
      await time.sleep(1000);
      if (time.nowMs() > limitMs) throw new Wrong("a build does not end");
    }
    running.clear();
  };

  async function main(): Promise<void> {
    for (const folder of ["/data", "/temp/here", ...[...hosts, ...nodes].map(({ name }) => `/scratch/${name}`)])
      prepareFolder(disk, folder);
    for (const [path, bytes] of recordings.sources) {
      prepareFolder(disk, path.slice(0, path.lastIndexOf("/")));
      disk.append(disk.create(path, true), bytes, path);
    }
    disk.syncAll();
    for (let left = 1 + random.below(4); left > 0 && fault === undefined; left--) {
      for (let troubles = random.below(3); troubles >= 0; troubles--) plan();
      build(random.of(recordings.inputs), random.of(hosts));
      await ended();
      [planned, failing, disk.freeBytes] = [[], undefined, Number.POSITIVE_INFINITY];
      model.expectComplete();
      await time.sleep(random.of([0, 0, MINUTE_MS, 10 * MINUTE_MS]));
      if (random.below(2) === 0) disk.syncAll();
      if (random.below(4) === 0 && model.current() !== "none") spoil();
    }
    // Leftovers of locks are removed after an hour.
    await time.sleep(2 * HOUR_MS + Math.max(0, ...hosts.map(({ clockMs }) => Math.abs(clockMs))));
    for (const one of hosts) one.clockMs = 0;
    note("everything works from now on");
    const [input, at] = [random.of(recordings.inputs), random.of(hosts)];
    build(input, at);
    await ended();
    model.expectExact(input);
    // The first task on a machine empties its scratch folder. If all are kept, there is none.
    const others = ["/data", "/temp", `/scratch/${at.name}`].flatMap((folder) => [...disk.paths(folder)]);
    for (const path of others)
      if (!path.startsWith(`${DATASET}/`) && (!settings.keep || /\.tmp$|\/attempts\//.test(path)))
        throw new Wrong(`${path} stays`);
  }

  let isDone = false;
  main()
    .catch(fail)
    .finally(() => {
      isDone = true;
    });
  const end = await time.run(() => isDone || fault !== undefined, 1000 * LONGEST_BUILD_MS);
  if (end !== "done") fail(new Wrong(`the session does not end: ${end}`));
  machines.close();
  return { seed, fault, counts };
}
