/**
 * What happens to host, network and storage during a session.
 * @module
 */
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import type { Random } from "../../web/engine/testing/random.ts";
import { type Browser, DATASET, usedBytes } from "./browser.ts";
import type { Damage } from "./host.ts";
import type { Releases } from "./releases.ts";

export interface TroublesOptions {
  readonly browser: Browser;
  readonly random: Random;
  readonly releases: Releases;
  readonly isPinned: boolean;
  readonly note: (line: string) => void;
  /** Called when the storage loses something. */
  readonly onLoss: () => void;
}

export type Troubles = ReturnType<typeof createTroubles>;

/** After a trouble: a request that is under way, and an outage that the page remembers. */
export const RECOVERY_MS = 60_000;

/** A share of requests or calls, in per cent. */
const percent = (share: number) => `${share * 100} %`;

/** Returns the troubles of a session. */
export function createTroubles({ browser, random, releases, isPinned, note, onLoss }: TroublesOptions) {
  const { host, time, faults, cached } = browser;
  let count = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let incomplete = 0;

  function isTroubled(): boolean {
    const isForeign = isPinned && host.release === releases.foreign;
    const isHostSound = host.isOnline && host.faultShare === 0 && host.damaged.size === 0 && incomplete === 0;
    const isStorageSound =
      faults.cache === 0 && faults.database === 0 && browser.quotaBytes === Number.POSITIVE_INFINITY;
    return isForeign || !isHostSound || !isStorageSound;
  }

  function publish(): void {
    count++;
    const release = random.below(6) === 0 ? releases.foreign : random.of(releases.own);
    const lateMs = random.of([0, 0, 0, 500, 20_000]);
    const keepsOld = random.below(2) === 0;
    note(
      `the host publishes ${release.name}, ${keepsOld ? "keeps" : "removes"} older files, ${lateMs} ms after the manifest`,
    );
    incomplete++;
    time.schedule(lateMs, () => {
      incomplete--;
      lastMs = Math.max(lastMs, time.nowMs());
    });
    host.publish(release, { keepsOld, lateMs });
  }

  function damageHost(): void {
    const paths = [...host.files.keys()].filter((path) => path !== MANIFEST_PATH || random.below(4) === 0);
    for (let left = random.of([1, 1, 5, 40]); left > 0; left--) {
      const [path, damage] = [random.of(paths), random.of<Damage>(["lost", "cut", "changed", "HTML"])];
      host.damaged.set(path, damage);
      note(`on the host ${path} is ${damage}`);
    }
  }

  function loseCached(): void {
    onLoss();
    const kind = random.of(["all", "some", "changed"] as const);
    note(`in the cache: ${kind}`);
    if (kind === "all") cached.clear();
    for (const [url, bytes] of [...cached]) {
      if (random.below(4) > 0) continue;
      const at = bytes.length >> 1;
      note(`in the cache ${url.slice(DATASET.length)} is ${kind === "some" ? "removed" : "changed"}`);
      if (kind === "some") cached.delete(url);
      else cached.set(url, bytes.with(at, (bytes[at] ?? 0) ^ 1));
    }
  }

  function repair(): void {
    host.repair();
    Object.assign(faults, { cache: 0, database: 0 });
    browser.quotaBytes = Number.POSITIVE_INFINITY;
    note("host, network and storage are repaired");
  }

  const all: readonly (readonly [weight: number, happen: () => void])[] = [
    [3, publish],
    [
      2,
      () => {
        host.isOnline = !host.isOnline;
        note(host.isOnline ? "the network is back" : "the network is gone");
      },
    ],
    [
      2,
      () => {
        host.faultShare = random.of([0, 0.05, 0.3, 1]);
        note(`the host fails in ${percent(host.faultShare)} of requests`);
      },
    ],
    [2, damageHost],
    [
      1,
      () => {
        faults.cache = random.of([0, 0.1, 1]);
        note(`the cache fails in ${percent(faults.cache)} of calls`);
      },
    ],
    [
      2,
      () => {
        faults.database = random.of([0, 0.1, 0.3, 1]);
        note(`IndexedDB fails in ${percent(faults.database)} of calls`);
      },
    ],
    [
      1,
      () => {
        browser.quotaBytes = random.of([Number.POSITIVE_INFINITY, usedBytes(browser) + random.below(20_000)]);
        note(`the quota is ${browser.quotaBytes} bytes`);
      },
    ],
    [1, loseCached],
    [2, repair],
  ];
  const weighted = all.flatMap(([weight, happen]) => Array.from({ length: weight }, () => happen));

  return {
    /** Makes a random trouble, or ends all. */
    happen(): void {
      count++;
      lastMs = time.nowMs();
      random.of(weighted)();
    },
    publish,
    repair,
    /** The number of troubles so far. */
    count: () => count,
    /** Whether there was no trouble lately. A call then has no reason to fail, unless trouble begins meanwhile. */
    isCalm: () => !isTroubled() && time.nowMs() > lastMs + RECOVERY_MS,
  };
}
