/**
 * Defects that the simulator must find: each takes a defence away from the program.
 * @module
 */
import type { Change } from "./program.ts";

const AREAS = "/web/hosts/browser/saved-areas";
const STORAGE = "/web/hosts/browser/storage";

export const DEFECTS = {
  "the hash of a slice is not compared": [
    {
      module: "/web/engine/index-tree/files.ts",
      from: "const sha256 = await sha256Of(bytes);",
      to: "const sha256 = entry.sha256;",
    },
  ],
  "an area counts as saved before its first file": [
    {
      module: `${AREAS}/area-changes.ts`,
      from: "if (missingOf(next.files, await files.names()).length > 0) return undefined;",
      to: "",
    },
    {
      module: `${AREAS}/save-area.ts`,
      from: "fetchAll(id, next.files, context, { signal, onProgress })",
      to: "fetchAll(id, next.files.slice(1), context, { signal, onProgress })",
    },
  ],
  "files of areas are evicted": [
    {
      module: `${STORAGE}/cache-uses.ts`,
      from: "[...unknown, ...uses].filter(({ path }) => !pinned.has(path))",
      to: "[...unknown, ...uses]",
    },
  ],
  "files without a known use stay for ever": [
    {
      module: `${STORAGE}/cache-uses.ts`,
      from: "[...unknown, ...uses].filter",
      to: "uses.filter",
    },
  ],
  "files that another area needs are removed with an area": [
    {
      module: `${STORAGE}/area-store.ts`,
      from: "[...names].filter((name) => !pinned.has(name))",
      to: "[...names]",
    },
  ],
  "an update replaces the list of files before they have arrived": [
    {
      module: `${AREAS}/area-changes.ts`,
      from: "if (area) await store.write({ ...area, isUnfinished: true }, { next });",
      to: "if (area) await store.write({ ...area, isUnfinished: true }, next ? { next, saved: next } : { next });",
    },
  ],
  "a host that is silent is awaited for ever": [
    {
      module: "/web/hosts/http/stall.ts",
      from: "let timer = setTimeout(giveUp, stallMs);",
      to: "let timer = setTimeout(() => {}, stallMs);",
    },
  ],
  "a failed read is remembered": [
    {
      module: "/web/engine/tasks/memo.ts",
      from: "() => settle(),",
      to: "() => {},",
    },
  ],
  "a signature is not verified": [
    {
      module: "/data/format/signature.ts",
      from: "if (fault === undefined) return facts;",
      to: "return facts;",
    },
  ],
  "a signature of any key is accepted": [
    {
      module: "/data/format/signature.ts",
      from: "if (facts.keyId !== id) continue;\n      fault = await faultOf(bytes, signedWith(head, sha256), key);",
      to: "fault = undefined;",
    },
  ],
  "a search goes on with the files of another release": [
    {
      module: "/web/engine/dataset.ts",
      from: 'if (latest.manifest.sha256 === file.manifest.sha256) throw error;\n      return attempt(latest, "source");',
      to: 'return attempt({ ...latest, manifest: { ...latest.manifest, release: file.manifest.release } }, "source");',
    },
  ],
  "a lock is not awaited": [
    {
      module: `${STORAGE}/area-locks.ts`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the module
      from: "const done = await locks.request(`cairn-areas ${folder.href}`, {}, async () => ({ value: await work() }));",
      to: "const done = { value: await work() };",
    },
  ],
  "IndexedDB that does not answer is awaited for ever": [
    {
      module: `${STORAGE}/stores.ts`,
      from: "timer = setTimeout(() => reject(",
      to: "timer = setTimeout(() => void (",
    },
  ],
  "a pin that IndexedDB does not store ends a search": [
    {
      module: "/web/hosts/browser/pin/pin-memory.ts",
      from: "await store.put({ base, accepted });",
      to: "await store.put({ base, accepted }).catch((error) => void (refusal = error));",
    },
  ],
} as const satisfies Record<string, readonly Change[]>;
