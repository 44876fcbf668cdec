/** What this browser has accepted from pinned datasets, shared by tabs and workers. @module */
import type { DBSchema } from "idb";
import { requireNewer, type SignatureFacts } from "../../../../data/format/signature.ts";
import { openStore } from "../storage/index.ts";

/** A manifest that a pinned key signed. */
export interface Accepted {
  /** SHA-256 of its file. */
  readonly sha256: string;
  /** Its member `sha256`, which stored releases have. */
  readonly manifest: string;
  readonly facts: SignatureFacts;
}

interface Entry {
  readonly base: string;
  /** The one with the highest sequence is the last. */
  readonly accepted: readonly Accepted[];
}

interface Schema extends DBSchema {
  pins: { key: string; value: Entry };
}

/** Saved areas have releases of several years. */
const MAX_ACCEPTED = 64;

export interface PinMemory {
  /** Notes the manifest, unless the browser has accepted a later one: then it throws `SignatureError`. */
  advance(manifest: Accepted, keyIds: readonly string[]): Promise<void>;
  /** Notes an older release of a saved area. */
  add(manifest: Accepted, keyIds: readonly string[]): Promise<void>;
  /** Returns an accepted manifest by its member `sha256`. */
  find(manifest: string, keyIds: readonly string[]): Promise<Accepted | undefined>;
}

/**
 * Opens the memory of the dataset in this folder. Without IndexedDB the memory ends with the worker. Signatures of keys that are
 * no longer pinned are ignored: a stolen key may have signed any sequence.
 */
export function openPinMemory({ href: base }: URL): PinMemory {
  const { read, change } = openStore<Schema>({
    name: "cairn-pins",
    version: 1,
    upgrade(database) {
      database.createObjectStore("pins", { keyPath: "base" });
    },
  });
  let own: readonly Accepted[] = [];

  /** In one transaction, so that two tabs cannot both accept an older release. */
  async function note(manifest: Accepted, keyIds: readonly string[], isCurrent: boolean): Promise<void> {
    const added = (all: readonly Accepted[]) => withAccepted(all.filter(isBy(keyIds)), manifest, isCurrent);
    own = added(own);
    let refusal: unknown;
    try {
      await change(["pins"], ({ store }) => [
        store.get(base).then(async (entry) => {
          let accepted: readonly Accepted[];
          try {
            accepted = added(entry?.accepted ?? []);
          } catch (error) {
            refusal = error;
            return;
          }
          await store.put({ base, accepted });
        }),
      ]);
    } catch {
      // a browser with a broken store remembers until the worker ends
    }
    if (refusal) throw refusal;
  }

  return {
    advance: (manifest, keyIds) => note(manifest, keyIds, true),
    add: (manifest, keyIds) => note(manifest, keyIds, false),
    async find(manifest, keyIds) {
      const stored = await read("pins", (store) => store.get(base)).catch(() => undefined);
      const all = [...own, ...(stored?.accepted ?? [])].filter(isBy(keyIds));
      return all.find((one) => one.manifest === manifest);
    },
  };
}

function isBy(keyIds: readonly string[]): (one: Accepted) => boolean {
  return ({ facts }) => keyIds.includes(facts.keyId);
}

function withAccepted(all: readonly Accepted[], one: Accepted, isCurrent: boolean): readonly Accepted[] {
  const last = all.at(-1);
  if (isCurrent) requireNewer(one.facts, one.sha256, last && { sequence: last.facts.sequence, sha256: last.sha256 });
  if (last?.sha256 === one.sha256 && last.facts.sequence >= one.facts.sequence) return all;
  const others = all.filter(({ sha256 }) => sha256 !== one.sha256);
  return isCurrent ? [...others, one].slice(-MAX_ACCEPTED) : [one, ...others].slice(-MAX_ACCEPTED);
}
