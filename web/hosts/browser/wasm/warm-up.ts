/**
 * Readers made quick before they are needed: a browser compiles each function of a wasm file when it is first called, which is
 * much of the time that the first partition takes; the reader of index pages is made when it first reads one.
 * @module
 */
import { parsePage } from "../../../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import type { ByteSource, DecodeParquet } from "../../../engine/index.ts";

/** A Parquet file with all kinds of columns that a partition has, base64; its test says how it is made. */
export const SMALL_PARQUET =
  "UEFSMRUAFWYVWiwVEhUAFQYVBgAAKLUv/SAzJQEAuAIAAAASAQEAAAAwMTIzNDU2NwEAAAA4BwQBQMABBgQcYChzFQAVZhVaLBUSFQAVBhUGAAAotS/9IDMlAQC4AgAAABIBAQAAADAxMjM0NTY3AQAAADgHBAFAwAEGBBxgKHMVABWcARVeLBUSFQAVBhUGAAAotS/9IE41AQCYAgAAABICAOA/APD4AEAECAwQQAgAIAvIBzIDo4EsK3lBOw5gBBUEFQgVGkwVAhUAAAAotS/9IAQhAAABAAAAFQAVEhUkLBUSFQQVBhUGAAAotS/9IAlJAAACAAAAEgEBEgAVABUQFSIsFRIVABUGFQYAACi1L/0gCEEAAAIAAAASAfgBFQQVChUcTBUCFQAAACi1L/0gBSkAAAEAAABhFQAVHhUwLBUSFQQVBhUGAAAotS/9IA95AAACAAAAEgACAAAAEgQBEgAVBBUQFSJMFQIVAAAAKLUv/SAIQQAAAAAAAAAA4D8VABXcARVELBUSFQQVBhUGAAAotS/9IG7NAACYAgAAABIAYQAAAEHbSJIEAAEMAAEAcAJLFQQVDBUeTBUCFQAAACi1L/0gBjEAAAIAAABlbhUAFR4VMCwVEhUEFQYVBgAAKLUv/SAPeQAAAgAAABIAAgAAABICARIAFQQVChUcTBUCFQAAACi1L/0gBSkAAAEAAAB4FQAV2gIVWiwVJBUEFQYVBgAAKLUv/SCtJQEA2EEAAABBiIiIiAgAYQAAAEFlWZZlWZYlAAESAAIABab/E3gBFUAcHAAAHBwAABwcAAAABAAAAAAAAAQAQAAABAAAAAAAAAQAIAAAAAAAAgAIAAAVQBwcAAAcHAAAHBwAAAAAAAQAAAACAAIAAAAAEAAAAAACAAAAAAEAAAAIAAAAgBVAHBwAABwcAAAcHAAAAAAAAAIAAACACAAAAAAAAgAAAAIAAAAABAAAAAIAAAgAFUAcHAAAHBwAABwcAAAABAAAAAAAEAAAAAAQCAAAAAAgAAAAAAAEAAAAQAAAAAgVQBwcAAAcHAAAHBwAAAAQAAAAAAAABAAEAAAAEAAAEAAAAAAAQAAAAABAAAAAAhUCGfwSNQAYDWR1Y2tkYl9zY2hlbWEVDgAVDCUCGAJpZCUAABUMJQIYA3drYgA1AhgBcxUCABUKJQIYAXgAFQIlAhgBbiUiABUAJQIYBGZsYWcANQIYAWwVAhUGADUEGARsaXN0FQIANQIYB2VsZW1lbnQVBAAVDCUCGAFkJQAAFQolAhgBYwA1AhgBbRUCFQIANQQYCWtleV92YWx1ZRUEABUMJQAYA2tleSUAADUCGAV2YWx1ZRUCFQYANQQYBGxpc3QVAgAVDCUCGAdlbGVtZW50JQAAFhIZHBmcJgAcFQwZFQAZGAJpZBUMFhIWiAEWfCYIPBgBOBgBMBYAKAE4GAEwEREAAAAmABwVDBkVABkYA3drYhUMFhIWiAEWfCaEATwYATgYATAWACgBOBgBMBERAAAAJgAcFQoZFQAZKAFzAXgVDBYSFsABFoIBJoACPBgIAAAAAAAAEEAYCAAAAAAAAAAAFgAoCAAAAAAAABBAGAgAAAAAAAAAABERAAAAJgAcFQIZFQQZGAFuFQwWEhZWFnomtgMmggMcGAQBAAAAGAQBAAAAFgAWAhgEAQAAABgEAQAAABERACaqCRVeAAAmABwVABkVABkYBGZsYWcVDBYSFjIWRCb8AzwYAQEYAQAWACgBARgBABERAAAAJgAcFQwZFQQZSAFsBGxpc3QHZWxlbWVudAFkFQwWEhZkFogBJvYEJsAEHBgBYRgBYRYAFgIYAWEYAWEREQAmiAoVXgAAJgAcFQoZFQQZSAFsBGxpc3QHZWxlbWVudAFjFQwWEhaqAhakASaEBibIBRwYCAAAAAAAAOA/GAgAAAAAAADgPxYGFgIYCAAAAAAAAOA/GAgAAAAAAADgPxERACbmChVeAAAmABwVDBkVBBk4AW0Ja2V5X3ZhbHVlA2tleRUMFhIWZhaKASakBybsBhwYAmVuGAJlbhYAFgIYAmVuGAJlbhERACbECxVeAAAmABwVDBkVBBlYAW0Ja2V5X3ZhbHVlBXZhbHVlBGxpc3QHZWxlbWVudBUMFiQWogMWtAEmrAgm9gccGAF4GAF4FhIWAhgBeBgBeBERACaiDBVeAAAW7gsWEiYIFqIJACgoRHVja0RCIHZlcnNpb24gdjEuNS42IChidWlsZCAwNjljYzlmOWI1KRmcHAAAHAAAHAAAHAAAHAAAHAAAHAAAHAAAHAAAAIcDAABQQVIx";

/** A page of one partition. */
export const SMALL_PAGE = [
  { sha256: "0".repeat(64), bytes: 1, rows: 1, bbox: [0, 0, 0, 0], country: "AQ", geohash: "-" },
] as const;

/** Work by what the name of a file ends in. */
export type WorkByEnding = Readonly<Record<string, () => void>>;

/** Has the reader of index pages read a small page, and that of Parquet a small file. */
export function warmUps(decode: DecodeParquet): WorkByEnding {
  return {
    json: () => parsePage(SMALL_PAGE),
    parquet: () => decode(Uint8Array.from(atob(SMALL_PARQUET), (character) => character.charCodeAt(0))),
  };
}

/** Requests of one step leave within this time, each after a look into the cache. */
const ALL_ASKED_MS = 10;

/**
 * The source, with each work done once, while the first files of its ending travel: the thread has nothing else to do then. It waits
 * until no more are asked for, since a busy thread asks for none. The manifest is none of them.
 */
export function whileWaiting(source: ByteSource, works: WorkByEnding): ByteSource {
  const left = new Map(Object.entries(works));
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  return {
    ...source,
    read(path, options) {
      const ending = path.slice(path.lastIndexOf(".") + 1);
      const work = left.get(ending);
      if (work && path !== MANIFEST_PATH) {
        clearTimeout(timers.get(ending));
        const begin = () => {
          left.delete(ending);
          untold(work);
        };
        timers.set(ending, setTimeout(begin, ALL_ASKED_MS));
      }
      return source.read(path, options);
    },
  };
}

/** What a reader cannot do it says of the first file too, to who can be told. */
function untold(work: () => void): void {
  try {
    work();
  } catch {}
}
