/**
 * hyparquet on one spatially sorted file: row groups by their box, all columns of those, then distances.
 * @module
 */
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects, type RowGroup } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { answerFrom, boxAround, type Peer, type Point } from "../question.ts";

/** Opens the file and reads its footer. */
export async function openHyparquet(url: string): Promise<Peer> {
  const file = await asyncBufferFromUrl({ url });
  const metadata = await parquetMetadataAsync(file);
  let start = 0;
  const groups = metadata.row_groups.map((group) => {
    const rowStart = start;
    start += Number(group.num_rows);
    return { rowStart, rowEnd: start, lon: extentOf(group, "lon"), lat: extentOf(group, "lat") };
  });
  return {
    async answer(question) {
      const [west, south, east, north] = boxAround(question);
      const wanted = groups.filter(
        ({ lon, lat }) => lon[0] <= east && lon[1] >= west && lat[0] <= north && lat[1] >= south,
      );
      const rows = await Promise.all(
        wanted.map(({ rowStart, rowEnd }) =>
          parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }).then(
            (read) => read as unknown as Point[],
          ),
        ),
      );
      return answerFrom(rows.flat(), question);
    },
  };
}

function extentOf({ columns }: RowGroup, name: string): readonly [number, number] {
  const column = columns.find(({ meta_data }) => meta_data?.path_in_schema.join(".") === name);
  const { min_value, max_value } = column?.meta_data?.statistics ?? {};
  if (typeof min_value === "number" && typeof max_value === "number") return [min_value, max_value];
  throw new Error(`row group has no extent of ${name}`);
}
