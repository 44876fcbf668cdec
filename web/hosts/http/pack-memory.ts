/** What a visit learns of a host: whether it answers ranges, and packs that it sent whole. Failures are not remembered. @module */
import { packNameOf } from "../../../data/format/paths.ts";
import { sha256Of } from "../../../data/format/sha256.ts";
import { createMemo } from "../../engine/index.ts";
import { createRecentBytes } from "./recent-bytes.ts";

/** Some sixteen packs: those of a search and of the next one near it. */
const WHOLE_PACKS_BYTES = 64 * 1024 * 1024;

export interface WholePack {
  readonly bytes: Uint8Array;
  readonly isNamed: boolean;
}

export interface PackMemory {
  /** Whether a range was ever answered rightly, or packs are asked for whole. */
  answers: "unknown" | "ranges" | "whole";
  peek(path: string): Uint8Array | undefined;
  forget(path: string): void;
  isComing(pack: PackRequest): boolean;
  /** The pack, by the download under way or by `load`. An abort by one caller rejects that caller alone. */
  fetch(
    pack: PackRequest,
    load: (signal: AbortSignal) => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<WholePack>;
}

export interface PackRequest {
  readonly path: string;
  /** Whether caches are passed by: who asks so does not share what others ask for. */
  readonly isFresh: boolean;
}

export interface PackMemoryOptions {
  readonly maxBytes?: number;
  readonly onWhole?: ((path: string, bytes: Uint8Array) => void) | undefined;
}

export function createPackMemory({ maxBytes = WHOLE_PACKS_BYTES, onWhole }: PackMemoryOptions = {}): PackMemory {
  const recent = createRecentBytes(maxBytes);
  const downloads = createMemo<WholePack>();
  const coming = new Map<string, number>();

  async function judged(path: string, bytes: Uint8Array): Promise<WholePack> {
    const isNamed = path.slice(path.lastIndexOf("/") + 1).startsWith(packNameOf(await sha256Of(bytes)));
    if (isNamed) {
      recent.set(path, bytes);
      onWhole?.(path, bytes);
    }
    return { bytes, isNamed };
  }

  return {
    answers: "unknown",
    peek: recent.get,
    forget: recent.delete,
    isComing: (pack) => coming.has(keyOf(pack)),
    async fetch(request, load, signal) {
      const key = keyOf(request);
      const begin = async (workSignal: AbortSignal) => {
        coming.set(key, (coming.get(key) ?? 0) + 1);
        try {
          return await judged(request.path, await load(workSignal));
        } finally {
          const left = (coming.get(key) ?? 0) - 1;
          if (left > 0) coming.set(key, left);
          else coming.delete(key);
        }
      };
      const pack = await downloads.get(key, begin, signal);
      // kept above, as far as there is room
      if (downloads.peek(key) === pack) downloads.delete(key);
      return pack;
    },
  };
}

function keyOf({ path, isFresh }: PackRequest): string {
  return isFresh ? `fresh ${path}` : path;
}
