/**
 * Readers made quick before they are needed: a browser compiles each function of a wasm file when it is first called, which is
 * most of the time that the first partition takes; the reader of index pages is made when it first reads one.
 * @module
 */
import { parsePage } from "../../../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import type { ByteSource, DecodeParquet } from "../../../engine/ports.ts";

/** A Parquet file with all kinds of columns that a partition has, base64; its test says how it is made. */
export const SMALL_PARQUET =
  "UEFSMRUAFWYVWiwVEhUAFQYVBgAAKLUv/SAzJQEAuAIAAAASAQEAAAAwMTIzNDU2NwEAAAA4BwQBQMABBgQcYChzFQAVZhVaLBUSFQAVBhUGAAAotS/9IDMlAQC4AgAAABIBAQAAADAxMjM0NTY3AQAAADgHBAFAwAEGBBxgKHMVABWcARVeLBUSFQAVBhUGAAAotS/9IE41AQCYAgAAABICAOA/APD4AEAECAwQQAgAIAvIBzIDo4EsK3lBOw5gBBUEFQgVGkwVAhUAAAAotS/9IAQhAAABAAAAFQAVEhUkLBUSFQQVBhUGAAAotS/9IAlJAAACAAAAEgEBEgAVABUQFSIsFRIVABUGFQYAACi1L/0gCEEAAAIAAAASAfgBFQQVChUcTBUCFQAAACi1L/0gBSkAAAEAAABhFQAVHhUwLBUSFQQVBhUGAAAotS/9IA95AAACAAAAEgACAAAAEgQBEgAVBBUQFSJMFQIVAAAAKLUv/SAIQQAAAAAAAAAA4D8VABXcARVELBUSFQQVBhUGAAAotS/9IG7NAACYAgAAABIAYQAAAEHbSJIEAAEMAAEAcAJLFQQVDBUeTBUCFQAAACi1L/0gBjEAAAIAAABlbhUAFR4VMCwVEhUEFQYVBgAAKLUv/SAPeQAAAgAAABIAAgAAABICARIAFQQVChUcTBUCFQAAACi1L/0gBSkAAAEAAAB4FQAV2gIVWiwVJBUEFQYVBgAAKLUv/SCtJQEA2EEAAABBiIiIiAgAYQAAAEFlWZZlWZYlAAESAAIABab/E3gBFUAcHAAAHBwAABwcAAAABAAAAAAAAAQAQAAABAAAAAAAAAQAIAAAAAAAAgAIAAAVQBwcAAAcHAAAHBwAAAAAAAQAAAACAAIAAAAAEAAAAAACAAAAAAEAAAAIAAAAgBVAHBwAABwcAAAcHAAAAAAAAAIAAACACAAAAAAAAgAAAAIAAAAABAAAAAIAAAgAFUAcHAAAHBwAABwcAAAABAAAAAAAEAAAAAAQCAAAAAAgAAAAAAAEAAAAQAAAAAgVQBwcAAAcHAAAHBwAAAAQAAAAAAAABAAEAAAAEAAAEAAAAAAAQAAAAABAAAAAAhUCGfwSNQAYDWR1Y2tkYl9zY2hlbWEVDgAVDCUCGAJpZCUAABUMJQIYA3drYgA1AhgBcxUCABUKJQIYAXgAFQIlAhgBbiUiABUAJQIYBGZsYWcANQIYAWwVAhUGADUEGARsaXN0FQIANQIYB2VsZW1lbnQVBAAVDCUCGAFkJQAAFQolAhgBYwA1AhgBbRUCFQIANQQYCWtleV92YWx1ZRUEABUMJQAYA2tleSUAADUCGAV2YWx1ZRUCFQYANQQYBGxpc3QVAgAVDCUCGAdlbGVtZW50JQAAFhIZHBmcJgAcFQwZFQAZGAJpZBUMFhIWiAEWfCYIPBgBOBgBMBYAKAE4GAEwEREAAAAmABwVDBkVABkYA3drYhUMFhIWiAEWfCaEATwYATgYATAWACgBOBgBMBERAAAAJgAcFQoZFQAZKAFzAXgVDBYSFsABFoIBJoACPBgIAAAAAAAAEEAYCAAAAAAAAAAAFgAoCAAAAAAAABBAGAgAAAAAAAAAABERAAAAJgAcFQIZFQQZGAFuFQwWEhZWFnomtgMmggMcGAQBAAAAGAQBAAAAFgAWAhgEAQAAABgEAQAAABERACaqCRVeAAAmABwVABkVABkYBGZsYWcVDBYSFjIWRCb8AzwYAQEYAQAWACgBARgBABERAAAAJgAcFQwZFQQZSAFsBGxpc3QHZWxlbWVudAFkFQwWEhZkFogBJvYEJsAEHBgBYRgBYRYAFgIYAWEYAWEREQAmiAoVXgAAJgAcFQoZFQQZSAFsBGxpc3QHZWxlbWVudAFjFQwWEhaqAhakASaEBibIBRwYCAAAAAAAAOA/GAgAAAAAAADgPxYGFgIYCAAAAAAAAOA/GAgAAAAAAADgPxERACbmChVeAAAmABwVDBkVBBk4AW0Ja2V5X3ZhbHVlA2tleRUMFhIWZhaKASakBybsBhwYAmVuGAJlbhYAFgIYAmVuGAJlbhERACbECxVeAAAmABwVDBkVBBlYAW0Ja2V5X3ZhbHVlBXZhbHVlBGxpc3QHZWxlbWVudBUMFiQWogMWtAEmrAgm9gccGAF4GAF4FhIWAhgBeBgBeBERACaiDBVeAAAW7gsWEiYIFqIJACgoRHVja0RCIHZlcnNpb24gdjEuNS42IChidWlsZCAwNjljYzlmOWI1KRmcHAAAHAAAHAAAHAAAHAAAHAAAHAAAHAAAHAAAAIcDAABQQVIx";

/** A page of one partition. */
export const SMALL_PAGE = [
  { sha256: "0".repeat(64), bytes: 1, rows: 1, bbox: [0, 0, 0, 0], country: "AQ", geohash: "-" },
] as const;

/** Has the readers read a small page and a small file. */
export function warmUp(decode: DecodeParquet): void {
  try {
    parsePage(SMALL_PAGE);
    decode(Uint8Array.from(atob(SMALL_PARQUET), (character) => character.charCodeAt(0)));
  } catch {
    // what a reader cannot do it says of the first file too, to who can be told
  }
}

/**
 * The source, with work that is done once, while the first file but the manifest is on its way: the thread has nothing else
 * to do then.
 */
export function whileWaiting(source: ByteSource, work: () => void): ByteSource {
  let isDone = false;
  return {
    name: source.name,
    read(path, options) {
      const answer = source.read(path, options);
      if (!isDone && path !== MANIFEST_PATH) {
        isDone = true;
        setTimeout(work, 0);
      }
      return answer;
    },
  };
}
