/** Remembers which manifests of pinned datasets this browser has accepted, for all tabs and workers. @module */
import type { DBSchema } from "idb";
import { requireNewer, type SignatureFacts } from "../../../../data/format/signature.ts";
import { openStore } from "../storage/index.ts";

/** A manifest that a pinned key signed. */
export interface Accepted {
  /** SHA-256 of the manifest's file. */
  readonly sha256: string;
  /** The manifest's member `sha256`, by which stored releases are known. */
  readonly manifest: string;
  readonly facts: SignatureFacts;
}

interface Entry {
  readonly base: string;
  /** The accepted manifests. The last one has the highest sequence. */
  readonly accepted: readonly Accepted[];
}

interface Schema extends DBSchema {
  pins: { key: string; value: Entry };
}

/** Maximum number of manifests per dataset: saved areas may have releases of several years. */
const MAX_ACCEPTED = 64;

export interface PinMemory {
  /** Remembers the manifest as the current one. Rejects with `SignatureError` if a later one was accepted before. */
  advance(manifest: Accepted, keyIds: readonly string[]): Promise<void>;
  /** Remembers the manifest of an older release, which a saved area has. */
  add(manifest: Accepted, keyIds: readonly string[]): Promise<void>;
  /** Returns an accepted manifest by its member `sha256`; undefined if it was not accepted. */
  find(manifest: string, keyIds: readonly string[]): Promise<Accepted | undefined>;
}

/**
 * Opens the memory of the dataset in this folder. Without IndexedDB it lasts as long as the worker. Ignores signatures of keys
 * that are no longer pinned: a stolen key may have signed any sequence.
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
