/**
 * What a visit has learned about a host: whether it answers ranges, and packs that it sent whole. Failures are not remembered.
 * @module
 */
import { packNameOf } from "../../../data/format/paths.ts";
import { sha256Of } from "../../../data/format/sha256.ts";
import { createMemo } from "../../engine/index.ts";
import { createRecentBytes } from "./recent-bytes.ts";

/** Maximum bytes of whole packs in memory: about sixteen packs, enough for a search and another one nearby. */
const WHOLE_PACKS_BYTES = 64 * 1024 * 1024;

export interface WholePack {
  readonly bytes: Uint8Array;
  /** Whether the name of the pack is the start of its SHA-256, so that it is undamaged. */
  readonly isNamed: boolean;
}

export interface PackMemory {
  /** How the host answers: `ranges` after one was answered correctly, `whole` if packs are requested whole. */
  answers: "unknown" | "ranges" | "whole";
  peek(path: string): Uint8Array | undefined;
  forget(path: string): void;
  isComing(pack: PackRequest): boolean;
  /** Returns the pack: from a download that is running, otherwise from `load`. An abort rejects only its own caller. */
  fetch(
    pack: PackRequest,
    load: (signal: AbortSignal) => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<WholePack>;
}

interface PackRequest {
  readonly path: string;
  /** Whether caches must not answer. Such a request is not shared with others. */
  readonly isFresh: boolean;
}

interface PackMemoryOptions {
  readonly maxBytes?: number;
  readonly onWhole?: ((path: string, bytes: Uint8Array) => void) | undefined;
}

/** Creates an empty memory. */
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
      // stored above, if there is space
      if (downloads.peek(key) === pack) downloads.delete(key);
      return pack;
    },
  };
}

function keyOf({ path, isFresh }: PackRequest): string {
  return isFresh ? `fresh ${path}` : path;
}
