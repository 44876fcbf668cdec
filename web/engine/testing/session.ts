/**
 * Sessions over a source, as a dataset opens one per search.
 * @module
 */
import { decodeParquet } from "../../hosts/node/parquet.ts";
import type { ByteSource } from "../contract/ports.ts";
import { readManifest } from "../index-tree/files.ts";
import { createCache } from "../store/cache.ts";
import { createCacheSections } from "../store/cache-sections.ts";
import { openPartition } from "../store/partition.ts";
import { openSession, type Session } from "../store/session.ts";

/** Returns a function that opens sessions with a shared cache. */
export async function createSessions(source: ByteSource): Promise<() => Session> {
  const file = await readManifest(source);
  const cache = createCache(Number.MAX_SAFE_INTEGER);
  const sections = createCacheSections(cache);
  return () =>
    openSession({
      file,
      from: "source",
      source,
      lease: cache.lease(),
      sections,
      decode: async (schema, { node }, slice) => openPartition(schema, node, await decodeParquet(slice)),
      decodeBytes: () => 0,
      signal: new AbortController().signal,
    });
}
