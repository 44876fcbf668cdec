/**
 * One session: what people do in tabs, and what happens to host, network and storage meanwhile, from a seed. Each answer is
 * compared with the model.
 * @module
 */
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { type Random, randomFrom } from "../../web/engine/testing/random.ts";
import type { AreaChoice } from "../../web/hosts/browser/protocol/index.ts";
import {
  type Browser,
  createBrowser,
  DATASET,
  forwardedGlobals,
  openPlatform,
  PAGE,
  type TabPlatform,
} from "./browser.ts";
import { Calls } from "./calls.ts";
import { createHost, type Host } from "./host.ts";
import { anywhere, newArea, type Question, questionIn, type Scope, Wrong, within } from "./model.ts";
import type { Globals, Program } from "./program.ts";
import type { Release, Releases } from "./releases.ts";
import type { Tab } from "./tab-program.ts";
import { createTroubles, RECOVERY_MS, type Troubles } from "./troubles.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";

export interface World {
  readonly releases: Releases;
  /** Starts the program of a tab with these globals. */
  readonly start: (globals: Globals) => Program;
  /** Programs of tabs that are gone, to use again: starting one takes longer than a session. */
  readonly idle: RunningProgram[];
}

interface RunningProgram {
  readonly program: Program;
  platform: TabPlatform;
}

export interface SessionResult {
  readonly seed: number;
  /** Undefined if the session has no fault. */
  readonly fault: string | undefined;
  readonly counts: Counts;
}

export type Counts = Record<
  "right" | "errors" | "saved" | "unsaved" | "crashes" | "offline" | "requests" | "virtualSeconds",
  number
>;

interface LiveTab {
  readonly platform: TabPlatform;
  readonly running: RunningProgram;
  readonly tab: Tab;
  /** The service worker, started with its first request. */
  readonly rest: (request: Request) => Promise<Response>;
}

/** An area as the person knows it. */
interface KnownArea {
  readonly id: string;
  readonly choice: AreaChoice;
  readonly scope: Scope;
  /** Whether saving was reported as complete, and nothing was removed or lost since. */
  isSaved: boolean;
  isRemoved: boolean;
}

const STEPS = 8;
const LAST_MS = 1e9;
const signal = () => new AbortController().signal;
const silent = () => {};

/** Runs a session. The same seed does the same. */
export async function runSession(
  seed: number,
  world: World,
  log: (line: string) => void = silent,
): Promise<SessionResult> {
  const time = createVirtualTime();
  const replaced = { setImmediate: globalThis.setImmediate };
  // fake-indexeddb runs its tasks in it
  let lastTaskMs = 0;
  const random = randomFrom(seed);
  const taskRandom = randomFrom(seed ^ 0x5bd1e995);
  const runTask = (task: () => void) => {
    lastTaskMs = Math.max(lastTaskMs, time.nowMs() + taskRandom.of([0, 0, 0, 1]));
    return time.schedule(lastTaskMs - time.nowMs(), task);
  };
  globalThis.setImmediate = runTask as unknown as typeof setImmediate;
  try {
    return await new Session(seed, { world, time, random, log }).run();
  } finally {
    globalThis.setImmediate = replaced.setImmediate;
  }
}

interface SessionOptions {
  readonly world: World;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly log: (line: string) => void;
}

class Session {
  readonly #seed: number;
  readonly #world: World;
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #log: (line: string) => void;
  readonly #host: Host;
  readonly #browser: Browser;
  readonly #key: string | undefined;
  readonly #troubles: Troubles;
  readonly #calls: Calls<LiveTab>;
  readonly #areas: KnownArea[] = [];
  readonly #used: RunningProgram[] = [];
  #tabs: LiveTab[] = [];
  #fault: string | undefined;
  /** How often something got lost from the storage. */
  #losses = 0;
  #tabCount = 0;
  readonly #counts: Counts = {
    right: 0,
    errors: 0,
    saved: 0,
    unsaved: 0,
    crashes: 0,
    offline: 0,
    requests: 0,
    virtualSeconds: 0,
  };

  constructor(seed: number, { world, time, random, log }: SessionOptions) {
    this.#seed = seed;
    this.#world = world;
    this.#time = time;
    this.#random = random;
    this.#log = log;
    const [first] = world.releases.own;
    if (!first) throw new Error("a simulation needs a release");
    this.#host = createHost(time, random, first);
    this.#host.latencyMs = random.of([5, 100, 1000]);
    this.#browser = createBrowser(time, random, this.#host);
    this.#calls = new Calls({
      time,
      note: (line) => this.#note(line),
      fail: (fault) => this.#fail(fault),
      hasFault: () => this.#fault !== undefined,
    });
    this.#key = random.below(4) === 0 ? world.releases.key : undefined;
    this.#troubles = createTroubles({
      browser: this.#browser,
      random,
      releases: world.releases,
      isPinned: this.#key !== undefined,
      note: (line) => this.#note(line),
      onLoss: () => {
        this.#losses++;
        for (const area of this.#areas) area.isSaved = false;
      },
    });
  }

  async run(): Promise<SessionResult> {
    let isOver = false;
    const onUnhandled = (error: unknown) => this.#fail(`no caller gets the error ${String(error)}`);
    process.on("unhandledRejection", onUnhandled);
    this.#time.schedule(0, () => {
      this.#play()
        .catch((error: unknown) => this.#fail(error instanceof Error ? (error.stack ?? error.message) : String(error)))
        .finally(() => {
          isOver = true;
        });
    });
    const end = await this.#time.run(() => isOver, LAST_MS);
    if (end !== "done") {
      this.#fail(`no answer comes, ${end}: ${this.#calls.waiting().join("; ")}`);
    }
    for (const { platform } of this.#tabs) platform.end();
    // ends what programs wait for
    await this.#time.run(() => false, LAST_MS);
    process.off("unhandledRejection", onUnhandled);
    this.#world.idle.push(...this.#used);
    this.#counts.requests = this.#host.requests.count;
    this.#counts.virtualSeconds = this.#time.nowMs() / 1000;
    return { seed: this.#seed, fault: this.#fault, counts: this.#counts };
  }

  #note(line: string): void {
    this.#log(`${(this.#time.nowMs() / 1000).toFixed(3).padStart(9)} s  ${line}`);
  }

  #fail(fault: string): void {
    this.#note(`WRONG ${fault}`);
    this.#fault ??= fault;
  }

  async #play(): Promise<void> {
    this.#note(`${this.#key ? "with" : "without"} a pinned key, answers within ${this.#host.latencyMs} ms`);
    this.#openTab();
    const steps = 3 + this.#random.below(STEPS);
    for (let step = 0; step < steps && !this.#fault; step++) {
      if (this.#random.below(3) === 0) this.#troubles.happen();
      const done = this.#act();
      if (this.#random.below(3) > 0) await done;
      else await this.#time.sleep(this.#random.of([0, 20, 300, 3000, 30_000]));
    }
    if (!this.#fault) await this.#settle();
    if (!this.#fault) await this.#lookOffline();
    if (!this.#fault) await this.#leaveNothing();
  }

  // actions of people

  #openTab(): LiveTab {
    const platform = openPlatform(this.#browser, `tab ${++this.#tabCount}`);
    const running = this.#world.idle.pop() ?? this.#startProgram(platform);
    running.platform = platform;
    this.#used.push(running);
    this.#note(`${platform.name} opens`);
    const { openTab, openService } = running.program;
    const options = { base: PAGE, key: this.#key };
    let service: ReturnType<typeof openService> | undefined;
    const rest = (request: Request) => {
      service ??= openService(options);
      return service(request);
    };
    const live = { platform, running, tab: openTab(options), rest };
    this.#tabs.push(live);
    void this.#calls.call(live, "open", () => live.tab.open());
    return live;
  }

  #startProgram(platform: TabPlatform): RunningProgram {
    const running: { platform: TabPlatform; program?: Program } = { platform };
    running.program = this.#world.start(forwardedGlobals(() => running.platform));
    return running as RunningProgram;
  }

  #endTab(live: LiveTab): void {
    live.platform.end();
    this.#tabs = this.#tabs.filter((other) => other !== live);
    this.#calls.leave(live);
  }

  #ask(live: LiveTab, question: Question, { isSure = false } = {}): Promise<void> {
    const troubles = this.#troubles.count();
    const isSteady = isSure || this.#troubles.isCalm();
    return this.#calls.call(live, question.text, () => question.ask({ dataset: live.tab.dataset, rest: live.rest }), {
      onValue: async ({ release, check }) => {
        const known = this.#releaseOf(release);
        if (!known) throw new Wrong(`answered from ${release}, which is no release of this publisher`);
        await check(known);
        this.#counts.right++;
        this.#note(`${live.platform.name} ${question.text}: right in release ${release}`);
      },
      onError: (error) => {
        this.#counts.errors++;
        if (error instanceof Wrong) throw error;
        if (!isNamed(error))
          this.#fail(`${question.text}: an error without a stable name: ${error.name}: ${error.message}`);
        if (isSteady && troubles === this.#troubles.count())
          this.#fail(`${question.text} failed without a reason: ${error.message}`);
      },
    });
  }

  #releaseOf(name: string): Release | undefined {
    const { own, foreign } = this.#world.releases;
    const known = this.#key === undefined ? [...own, foreign] : own;
    return known.find((release) => release.name === name);
  }

  #act(): Promise<void> {
    const random = this.#random;
    if (this.#tabs.length === 0) this.#openTab();
    const live = random.of(this.#tabs);
    const area = this.#areas.length > 0 ? random.of(this.#areas) : undefined;
    const kind = random.below(31);
    if (kind < 9) return this.#ask(live, this.#question());
    if (kind < 11)
      return this.#calls.call(live, "refresh", () => live.tab.dataset.refresh(), { onError: this.#mayFail });
    if (kind < 15 || (kind < 22 && !area)) return this.#saveNew(live);
    if (kind < 19 && area) return this.#save(live, area);
    if (kind < 20 && area) return this.#remove(live, area);
    if (kind < 21 && area)
      return this.#calls.call(live, `cancel ${area.id}`, () => live.tab.areas.cancelArea(area.id, signal(), silent));
    if (kind < 22) return this.#list(live);
    if (kind < 23) return this.#calls.call(live, "tidy", () => live.tab.tidy());
    if (kind < 24) {
      if (this.#tabs.length < 3) this.#openTab();
      return Promise.resolve();
    }
    if (kind < 26) {
      this.#crash(live);
      return Promise.resolve();
    }
    if (kind < 27) return this.#calls.call(live, "evict", () => live.tab.kept.seen.evict(0));
    if (kind < 30 && area) return this.#crashInUpdate(live, area);
    return this.#abort(live);
  }

  readonly #mayFail = (error: Error): void => {
    if (!isNamed(error)) this.#fail(`an error without a stable name: ${error.name}: ${error.message}`);
  };

  #question(): Question {
    return questionIn(this.#random, anywhere(this.#random), this.#host.release.rows);
  }

  async #abort(live: LiveTab): Promise<void> {
    const controller = new AbortController();
    const { circle } = anywhere(this.#random);
    const query = { collections: ["place"] as const, circle, offset: 0, limit: 5 };
    const ended = this.#calls.call(
      live,
      "a search that is aborted",
      () => live.tab.dataset.search(query, { signal: controller.signal }),
      {
        onError: (error) => {
          if (error.name !== "AbortError") this.#mayFail(error);
        },
      },
    );
    await this.#time.sleep(this.#random.between(0, 200));
    controller.abort();
    return ended;
  }

  async #saveNew(live: LiveTab): Promise<void> {
    const { choice, scope } = newArea(this.#random);
    let added: KnownArea | undefined;
    await this.#calls.call(
      live,
      `add an area ${JSON.stringify(choice.shape)}`,
      () => live.tab.areas.addArea({ name: "area", choice }, signal(), silent),
      {
        onValue: async ({ id }) => {
          added = { id, choice, scope, isSaved: false, isRemoved: false };
          this.#areas.push(added);
        },
      },
    );
    if (added && !live.platform.isGone) await this.#save(live, added);
  }

  #save(live: LiveTab, area: KnownArea): Promise<void> {
    const losses = this.#losses;
    return this.#calls.call(live, `save ${area.id}`, () => live.tab.areas.saveArea(area.id, signal(), silent), {
      onValue: async ({ kind }) => {
        this.#note(`${live.platform.name} save ${area.id}: ${kind}`);
        if (kind !== "saved") this.#counts.unsaved++;
        else {
          this.#counts.saved++;
          area.isSaved = !area.isRemoved && losses === this.#losses;
        }
      },
      onError: () => {
        this.#counts.unsaved++;
      },
    });
  }

  /** The older or the newer release remains after any crash. */
  async #crashInUpdate(live: LiveTab, area: KnownArea): Promise<void> {
    if (this.#random.below(2) === 0) this.#troubles.publish();
    void this.#save(live, area);
    await this.#time.sleep(this.#random.between(0, 10 * this.#host.latencyMs));
    if (!live.platform.isGone) this.#crash(live);
    const next = this.#tabs.at(-1);
    if (next) await this.#list(next);
  }

  #crash(live: LiveTab): void {
    this.#note(`${live.platform.name} crashes`);
    this.#counts.crashes++;
    this.#endTab(live);
    this.#openTab();
  }

  #remove(live: LiveTab, area: KnownArea): Promise<void> {
    area.isRemoved = true;
    area.isSaved = false;
    return this.#calls.call(live, `remove ${area.id}`, () => live.tab.areas.removeArea(area.id, signal(), silent));
  }

  #list(live: LiveTab): Promise<void> {
    const losses = this.#losses;
    const saved = this.#areas.filter(({ isSaved }) => isSaved);
    return this.#calls.call(live, "list areas", () => live.tab.areas.areas(undefined, signal(), silent), {
      onValue: async ({ areas }) => {
        for (const area of saved) {
          if (!area.isSaved || losses !== this.#losses) continue;
          const listed = areas.find(({ id }) => id === area.id);
          if (!listed?.saved)
            throw new Wrong(`${area.id} was saved, and is ${listed ? "listed as unfinished" : "not listed"}`);
          const { release, sha256 } = listed.saved;
          if (this.#releaseOf(release)?.sha256 !== sha256)
            throw new Wrong(`${area.id} has the unknown release ${release}`);
        }
      },
    });
  }

  // how a session ends

  /** All calls end. Without trouble, each tab answers and saves again. */
  async #settle(): Promise<void> {
    this.#troubles.repair();
    await this.#calls.calm();
    const { own, foreign } = this.#world.releases;
    const isPinned = this.#key !== undefined;
    // a pinned reader refuses all but the last one
    if (isPinned || this.#host.release === foreign)
      this.#host.publish(own.at(-1) as Release, { keepsOld: false, lateMs: 0 });
    await this.#time.sleep(RECOVERY_MS);
    this.#note("everything works again");
    for (const live of this.#tabs) await this.#ask(live, this.#question(), { isSure: true });
    if (this.#tabs.length === 0) this.#openTab();
    const live = this.#random.of(this.#tabs);
    for (const area of this.#areas) {
      if (area.isRemoved || this.#random.below(3) > 0) continue;
      const before = this.#counts.saved;
      await this.#save(live, area);
      // the host has no longer the release that was begun
      if (this.#counts.saved === before) await this.#save(live, area);
      const isListed = await live.tab.kept.areas.area(area.id);
      if (isListed && this.#counts.saved === before) this.#fail(`${area.id} cannot be saved without a reason`);
    }
    await this.#calls.calm();
  }

  /** A new tab without a network answers every search in a saved area. */
  async #lookOffline(): Promise<void> {
    for (const live of [...this.#tabs]) this.#endTab(live);
    this.#host.isOnline = false;
    this.#note("the network is gone, and all tabs are closed");
    const saved = this.#areas.filter(({ isSaved }) => isSaved);
    if (saved.length === 0) return;
    const live = this.#openTab();
    await this.#list(live);
    for (const { id, scope } of saved) {
      for (let left = 3; left > 0 && !this.#fault; left--) {
        this.#note(`in ${id}`);
        const own = { ...scope, circle: within(this.#random, scope.circle) };
        this.#counts.offline++;
        await this.#ask(live, questionIn(this.#random, own, this.#host.release.rows), { isSure: true });
      }
    }
    await this.#calls.calm();
  }

  /** Without areas, all files can be evicted. */
  async #leaveNothing(): Promise<void> {
    for (const live of [...this.#tabs]) this.#endTab(live);
    this.#host.isOnline = true;
    const live = this.#openTab();
    await this.#time.sleep(RECOVERY_MS);
    const { areas } = await live.tab.areas.areas(undefined, signal(), silent);
    for (const { id } of areas)
      await this.#calls.call(live, `remove ${id}`, () => live.tab.areas.removeArea(id, signal(), silent));
    await this.#calls.call(live, "tidy", () => live.tab.tidy(), {
      onError: (error) => this.#fail(`tidy failed: ${error.message}`),
    });
    await this.#calls.calm();
    // answers are stored a second later
    await this.#time.sleep(RECOVERY_MS);
    await this.#calls.call(live, "evict", () => live.tab.kept.seen.evict(0));
    for (const url of this.#browser.cached.keys()) {
      const name = url.slice(DATASET.length);
      if (name !== MANIFEST_PATH) this.#fail(`${name} is cached, and nothing needs it`);
    }
    const { held } = await this.#browser.locks.query();
    const names = held.map(({ name }) => name).filter((name) => !name.startsWith("cairn-release"));
    if (names.length > 0) this.#fail(`a lock is held for ever: ${names}`);
  }
}

/** Errors of a tab's program are of its own classes. */
const NAMES = new Set(["RestError", "FetchError", "ManifestError", "DecodeError", "SignatureError", "ReleaseError"]);

function isNamed({ name, message }: Error): boolean {
  return NAMES.has(name) && message !== "";
}
