/** A Parquet file's footer without what no reader asks for. @module */
import type { SchemaElement } from "hyparquet";
import { type ColumnChunk, footerBytesOf, readMetadata, writeFooter } from "../../data/parquet/index.ts";

/**
 * The file with less in its footer: bounds stand once, not as `min` and `max` too, the names that readers fall back on;
 * what is in lists has none, since no reader skips row groups by them.
 */
export function withSlimFooter(bytes: Uint8Array): Uint8Array {
  const metadata = readMetadata(bytes);
  const inLists = leavesInLists(metadata.schema);
  const slim = ({ meta_data: data, ...column }: ColumnChunk, leaf: number): ColumnChunk => {
    if (!data?.statistics) return { ...column, ...(data ? { meta_data: data } : {}) };
    const { statistics, ...others } = data;
    if (inLists[leaf]) return { ...column, meta_data: others };
    const { min: _min, max: _max, ...kept } = statistics;
    return { ...column, meta_data: { ...others, statistics: kept } };
  };
  const footer = writeFooter({
    ...metadata,
    row_groups: metadata.row_groups.map((group) => ({ ...group, columns: group.columns.map(slim) })),
  });
  return Buffer.concat([bytes.subarray(0, bytes.length - footerBytesOf(bytes)), footer]);
}

/** For each leaf of the schema, in order, whether it or what it is in is repeated. */
function leavesInLists(schema: readonly SchemaElement[]): boolean[] {
  const leaves: boolean[] = [];
  let at = 0;
  const walk = (isInList: boolean): void => {
    const element = schema[at++];
    const isRepeated = isInList || element?.repetition_type === "REPEATED";
    const children = element?.num_children ?? 0;
    if (children === 0) leaves.push(isRepeated);
    for (let child = 0; child < children; child++) walk(isRepeated);
  };
  walk(false);
  return leaves;
}
