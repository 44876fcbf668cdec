/** How hard the primary copy is compressed: `fast` is for local use, `small` for releases. */
export type Level = "fast" | "small";

/** 15 gives a tenth fewer bytes than 3 and takes three times as long. Higher levels save less than a hundredth. */
export const ZSTD_LEVEL = { fast: 3, small: 15 } as const satisfies Record<Level, number>;
