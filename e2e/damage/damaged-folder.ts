/** A dataset's folder with one damaged file at a time, on disk and over HTTP. @module */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerFile } from "../../web/hosts/http/testing/range-answer-of.ts";

export const DAMAGES = ["missing", "cut short", "with a changed byte", "a web page with status 200"] as const;
export type Damage = (typeof DAMAGES)[number];

const WEB_PAGE = new TextEncoder().encode("<!doctype html><title>Welcome to our network</title>");

/** Distance of changed bytes on disk, because a reader may read any range. */
const CHANGED_EVERY = 61;

export interface DamagedFolder {
  readonly folder: string;
  /** Address for `fetch`; ends in `/`. */
  readonly url: string;
  /** Paths requested with `fetch` since `forget`. */
  readonly asked: ReadonlySet<string>;
  /** Clears the requested paths and the cached files. */
  forget(): void;
  damage(path: string, damage: Damage): Promise<void>;
  heal(): Promise<void>;
  /**
   * A static host of the folder. Any number before the folder's name is the same folder:
   * `http://dataset.invalid/7/…`.
   */
  readonly fetch: typeof fetch;
}

const ORIGIN = "http://dataset.invalid/";

/** Creates a folder of the dataset that can be damaged. */
export function damagedFolder(folder: string): DamagedFolder {
  const asked = new Set<string>();
  const read = new Map<string, Uint8Array<ArrayBuffer>>();
  let damaged: { readonly path: string; readonly damage: Damage; readonly bytes: Uint8Array } | undefined;

  const replace = (path: string, bytes: Uint8Array | undefined): Promise<void> => {
    return bytes ? writeFile(join(folder, path), bytes) : rm(join(folder, path));
  };

  async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const known = read.get(path) ?? (await readFile(join(folder, path)).catch(() => undefined));
    if (!known) return undefined;
    const bytes = Uint8Array.from(known);
    read.set(path, bytes);
    return bytes;
  }

  return {
    folder,
    url: ORIGIN,
    asked,
    forget() {
      asked.clear();
      read.clear();
    },
    async damage(path, damage) {
      const bytes = await readFile(join(folder, path));
      damaged = { path, damage, bytes };
      await replace(path, onDisk(bytes, damage));
    },
    async heal() {
      if (damaged) await replace(damaged.path, damaged.bytes);
      damaged = undefined;
    },
    async fetch(input, { headers } = {}) {
      const url = input instanceof Request ? input.url : String(input);
      const path = url.slice(ORIGIN.length).replace(/^\d+\//, "");
      asked.add(path);
      const damage = damaged?.path === path ? damaged.damage : undefined;
      const bytes = damage ? damaged?.bytes : await bytesOf(path);
      if (!bytes || damage === "missing") return new Response("not found", { status: 404 });
      if (damage === "a web page with status 200") return new Response(WEB_PAGE);
      const range = new Headers(headers).get("Range") ?? undefined;
      const { status, headers: sent, body } = answerFile(Uint8Array.from(bytes), { range });
      const middle = body.length >> 1;
      if (damage === "with a changed byte") body[middle] = (body[middle] ?? 0) ^ 1;
      if (damage !== "cut short") return new Response(body, { status, headers: sent });
      const { "Content-Length": _, ...others } = sent;
      return new Response(body.slice(0, middle), { status, headers: others });
    },
  };
}

function onDisk(bytes: Uint8Array, damage: Damage): Uint8Array | undefined {
  if (damage === "missing") return undefined;
  if (damage === "cut short") return bytes.subarray(0, bytes.length >> 1);
  if (damage === "a web page with status 200") return WEB_PAGE;
  return bytes.map((byte, index) => (index % CHANGED_EVERY === CHANGED_EVERY - 1 ? byte ^ 1 : byte));
}
