import { deflateRawSync } from "node:zlib";
import type { Deflate } from "../../data/format/inflate.ts";

/** Of slices, which are compressed once and read often. */
const LEVEL = 9;

/** Compresses slices. */
export const deflate: Deflate = (bytes, dictionary) =>
  deflateRawSync(bytes, dictionary ? { level: LEVEL, dictionary } : { level: LEVEL });
