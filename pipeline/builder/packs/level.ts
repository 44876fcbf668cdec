/** Compression of the primary copy: `fast` for local use, `small` for releases. */
export type Level = "fast" | "small";

/** 15 gives 10 % fewer bytes than 3 and takes three times as long. Higher levels save less than 1 %. */
export const ZSTD_LEVEL = { fast: 3, small: 15 } as const satisfies Record<Level, number>;
