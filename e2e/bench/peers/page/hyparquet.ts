/**
 * hyparquet with one spatially sorted file: selects row groups by statistics, reads all of their columns, then
 * computes distances.
 * @module
 */
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects, type RowGroup } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { boxAround, type PeerRow, pageOfCircle } from "../circle.ts";
import type { CircleQuestion, CountryQuestion, Peer } from "../question.ts";
import { fileOf } from "./rows.ts";

interface Rows {
  readonly rowStart: number;
  /** Exclusive. */
  readonly rowEnd: number;
}

/** Opens the file and reads its footer. */
export async function openHyparquet(url: string): Promise<Peer> {
  const file = await asyncBufferFromUrl({ url });
  const metadata = await parquetMetadataAsync(file);
  let start = 0;
  const groups = metadata.row_groups.map((group) => {
    const rowStart = start;
    start += Number(group.num_rows);
    const country = extentOf(group, "country", String);
    return {
      rowStart,
      rowEnd: start,
      lon: extentOf(group, "lon", Number),
      lat: extentOf(group, "lat", Number),
      country,
    };
  });

  const readRows = async <T>({ rowStart, rowEnd }: Rows, columns?: string[]): Promise<T[]> => {
    const rows = await parquetReadObjects({
      file,
      metadata,
      compressors,
      rowStart,
      rowEnd,
      ...(columns ? { columns } : {}),
    });
    return rows as T[];
  };

  async function circle(question: CircleQuestion) {
    const [west, south, east, north] = boxAround(question);
    const wanted = groups.filter(
      ({ lon, lat }) => lon[0] <= east && lon[1] >= west && lat[0] <= north && lat[1] >= south,
    );
    const rows = await Promise.all(wanted.map((group) => readRows<PeerRow>(group)));
    return pageOfCircle(rows.flat(), question);
  }

  /** First the ids of the whole country, then the page's rows. */
  async function country({ country, limit, page }: CountryQuestion) {
    const wanted = groups.filter((group) => group.country[0] <= country && group.country[1] >= country);
    const found = await Promise.all(
      wanted.map(async (group) => {
        const read = await readRows<{ id: string; country: string }>(group, ["id", "country"]);
        return read.flatMap((row, index) => {
          return row.country === country ? [{ id: row.id, row: group.rowStart + index }] : [];
        });
      }),
    );
    const sorted = found.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
    const shown = sorted.slice(page * limit, (page + 1) * limit);
    const rows = await Promise.all(shown.map(({ row }) => readRows<PeerRow>({ rowStart: row, rowEnd: row + 1 })));
    return { rows: rows.flat(), total: sorted.length };
  }

  return {
    async answer(question) {
      if (question.kind === "name") throw new Error("a Parquet file has no index of words");
      const { rows, total } = question.kind === "country" ? await country(question) : await circle(question);
      if ("format" in question) fileOf(rows, question.format);
      return { total, ids: async () => rows.map(({ id }) => id) };
    },
  };
}

function extentOf<T>({ columns }: RowGroup, name: string, parse: (value: unknown) => T): readonly [T, T] {
  const column = columns.find(({ meta_data }) => meta_data?.path_in_schema.join(".") === name);
  const { min_value, max_value } = column?.meta_data?.statistics ?? {};
  if (min_value === undefined || max_value === undefined) throw new Error(`row group has no extent of ${name}`);
  return [parse(min_value), parse(max_value)];
}
