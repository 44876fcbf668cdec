/**
 * Fetches an area of an Overture release in the page's worker. It selects rows as `cairn get` does, with range requests. @module
 */

import type { Table, Vector } from "apache-arrow";
import { type BBox, bboxIntersects } from "../../../../data/format/bbox.ts";
import { bytesOfBase64 } from "../../../../data/format/bytes.ts";
import type { OvertureType } from "../../../../data/format/collections.ts";
import { listOf, objectOf, textOf } from "../../../../data/format/json.ts";
import { eachGroup, MAGIC, piecesOf } from "../../../../data/parquet/index.ts";
import {
  atATime,
  boxFilter,
  type ExtractPlan,
  httpRemote,
  mirrorAt,
  openPlanned,
  openRelease,
  type PlannedFile,
  planExtract,
  type Remote,
} from "../../../../data/release/index.ts";
import { type DecodeParquet, type Feature, type Json, nextTask } from "../../../engine/index.ts";
import { wait } from "../../http/index.ts";
import { geometryOfWkb, jsonOf, rowOf } from "../own-files/index.ts";
import type { ReleaseProgress, ReleaseQuestion, ReleaseRows } from "../protocol/index.ts";

/** Few tries, because a user waits: a host that is silent or busy is reported after some seconds. */
const TRIES = 3;
const SILENT_MS = 20_000;
const PIECES_AT_A_TIME = 4;

/** Plans which row groups of the latest release may have rows in the box. Types that the release lacks are left out. */
export async function planRelease(
  { catalog, bbox, types }: ReleaseQuestion,
  signal: AbortSignal,
): Promise<ExtractPlan> {
  const remote = pageRemote(signal);
  const release = await openRelease(remote, mirrorAt(catalog), undefined);
  return planExtract({ remote, release, area: boxFilter(bbox), types });
}

interface FetchOptions {
  readonly decode: DecodeParquet;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReleaseProgress) => void;
}

/**
 * Fetches the rows whose `bbox` meets the box of the plan, as GeoJSON files. Throws when a file changed since the plan was made.
 */
export async function fetchRows(plan: ExtractPlan, { decode, signal, onProgress }: FetchOptions): Promise<ReleaseRows> {
  const remote = pageRemote(signal);
  const progress = { bytes: 0, totalBytes: plan.files.reduce((sum, { bytes }) => sum + bytes, 0) };
  const onBytes = (bytes: number): void => {
    progress.bytes += bytes;
    onProgress({ ...progress });
  };
  const found = new Map<OvertureType, string[]>();
  for (const planned of plan.files) {
    const file = await fetchPlanned(remote, planned, onBytes);
    const features = found.get(planned.type) ?? [];
    found.set(planned.type, features);
    for (const group of eachGroup(file)) {
      signal.throwIfAborted();
      const table = await decode(group);
      for (const feature of wantedFeatures(table, { type: planned.type, bbox: plan.area.bbox })) {
        features.push(JSON.stringify(feature));
      }
      await nextTask();
    }
  }
  const types = [...found].filter(([, features]) => features.length > 0);
  return {
    files: types.map(([type, features]) => geoJsonFile(`${type}-overture-${plan.release}.geojson`, features)),
    rows: types.reduce((sum, [, { length }]) => sum + length, 0),
  };
}

function pageRemote(signal: AbortSignal): Remote {
  return httpRemote({
    isPage: true,
    signal,
    tries: TRIES,
    idleTimeoutMs: SILENT_MS,
    onWait: () => undefined,
    sleep: (ms) => wait(ms, signal),
  });
}

async function fetchPlanned(
  remote: Remote,
  planned: PlannedFile,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array> {
  const { spans } = planned;
  const source = await openPlanned(remote, planned);
  const footer = bytesOfBase64(planned.footer);
  const last = spans.at(-1);
  const end = last ? last.at + last.end - last.start : MAGIC.length;
  const file = new Uint8Array(end + footer.length);
  file.set(MAGIC);
  file.set(footer, end);
  await atATime(piecesOf(spans), PIECES_AT_A_TIME, async (piece) => {
    file.set(await source.read(piece.start, piece.end), piece.at);
    onBytes(piece.end - piece.start);
  });
  return file;
}

function geoJsonFile(name: string, features: readonly string[]): File {
  const parts = features.map((feature, index) => (index === 0 ? feature : `,\n${feature}`));
  return new File(['{"type":"FeatureCollection","features":[\n', ...parts, "\n]}\n"], name, {
    type: "application/geo+json",
  });
}

/** A row as in files. The reader of the file drops rows without a readable geometry. */
interface FileFeature {
  readonly type: "Feature";
  readonly id: Json;
  readonly geometry: Feature["geometry"] | null;
  readonly properties: Readonly<Record<string, Json>>;
}

interface Wanted {
  readonly type: OvertureType;
  /** `west > east` crosses the antimeridian. */
  readonly bbox: BBox;
}

/**
 * Yields the rows whose `bbox` meets the box, with the values that are searched as columns of their own. Throws without a column
 * `bbox`.
 */
function* wantedFeatures(table: Table, { type, bbox }: Wanted): Generator<FileFeature> {
  const boxes = boxesOf(table);
  const geometry = table.getChild("geometry");
  for (let row = 0; row < table.numRows; row++) {
    const box = boxes(row);
    if (!box || !bboxIntersects(bbox, box)) continue;
    const { id = null, ...properties } = valuesOf(table, row);
    yield {
      type: "Feature",
      id,
      geometry: geometryOfWkb(geometry?.get(row)) ?? null,
      properties: { ...searchedOf(type, properties), ...properties },
    };
  }
}

function boxesOf(table: Table): (row: number) => BBox | undefined {
  const column = table.getChild("bbox");
  const [xmin, ymin, xmax, ymax] = ["xmin", "ymin", "xmax", "ymax"].map((name): Vector | null | undefined =>
    column?.getChild(name),
  );
  if (!xmin || !ymin || !xmax || !ymax)
    throw new Error("a file of the release has no column bbox: its format is not supported");
  return (row) => {
    const [west, south, east, north] = [xmin.get(row), ymin.get(row), xmax.get(row), ymax.get(row)];
    if (west === null || south === null || east === null || north === null) return undefined;
    return [west, south, east, north];
  };
}

/** Columns that are stored elsewhere in the feature, or are of no use in a single row. */
const LEFT_OUT = new Set(["geometry", "bbox", "version", "theme", "type", "sources"]);

function valuesOf(table: Table, row: number): Record<string, Json> {
  const values = rowOf(table, row, LEFT_OUT);
  const sources = table.schema.fields.findIndex(({ name }) => name === "sources");
  const field = table.schema.fields[sources];
  if (field) values.source = datasetsOf(jsonOf(field.type, table.getChildAt(sources)?.get(row)));
  return values;
}

function datasetsOf(sources: Json): string {
  const names = listOf(sources).map((source) => textOf(objectOf(source)?.dataset));
  return [...new Set(names.filter((name) => name !== undefined))].join(", ");
}

function searchedOf(type: OvertureType, row: Readonly<Record<string, Json>>): Record<string, Json> {
  const [address] = listOf(row.addresses);
  const columns = {
    name: textOf(objectOf(row.names)?.primary),
    type,
    category: textOf(objectOf(row.categories)?.primary) ?? textOf(row.class) ?? textOf(row.subtype),
    country: textOf(row.country) ?? textOf(objectOf(address)?.country),
  };
  return Object.fromEntries(
    Object.entries(columns).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
