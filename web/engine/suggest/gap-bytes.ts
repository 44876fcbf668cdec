/**
 * How far apart rows of suggestions are read together.
 * @module
 */

/**
 * Blocks with a gap of at most this many bytes are one range. The rows of a text are far from each other: with larger gaps, the bytes
 * between them are most of what a keystroke reads.
 */
export const GAP_BYTES = 2048;
