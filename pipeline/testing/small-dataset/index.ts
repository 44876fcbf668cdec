export type { At, Change } from "./change.ts";
export { type SmallRow, type SmallRows, smallRows } from "./features.ts";
export { SMALL_PREFIX_ROWS } from "./terms.ts";
export { writeSmallDataset } from "./write.ts";
