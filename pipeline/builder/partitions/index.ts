export { type TableUnit, writeColumnTable } from "./column-table.ts";
export { type Bucket, cutBuckets, leafRanges } from "./cut-buckets.ts";
export { countCells, tallyCells } from "./histogram.ts";
export { planMixedPacks, planPacks } from "./plan-packs.ts";
export { type PlannedLeaf, planRun } from "./plan-partitions.ts";
export { copyToParquet, MOST_ROWS, measureRowBytes, rowTarget, sampleCells } from "./row-target.ts";
export { writeUnits } from "./write-slices.ts";
