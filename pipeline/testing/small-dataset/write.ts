/** Writes a small dataset of format 3 directly from the specification, without the pipeline. @module */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import {
  COLLECTION_NAMES,
  COLLECTIONS,
  type CollectionName,
  type KnownCollection,
} from "../../../data/format/collections.ts";
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  type ChunkNode,
  FORMAT_VERSION,
  type LocationNode,
  type Manifest,
  type ManifestCollection,
  type ManifestRun,
  type PartitionNode,
  type SegmentNode,
  type Slice,
  type TermNode,
} from "../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../data/format/manifest-file.ts";
import { locationPackPath, MANIFEST_PATH, REJECTS_PATH } from "../../../data/format/paths.ts";
import { writeSections } from "../../../data/format/point-sections.ts";
import { writePoints } from "../../../data/format/points.ts";
import { writePostings } from "../../../data/format/postings.ts";
import { packSuggestions } from "../../../data/format/suggest-table.ts";
import { writeTable } from "../../../data/format/tables.ts";
import { BY_ENDS, WORLDWIDE } from "../../../data/format/terms.ts";
import { type Database, openDatabase } from "../../base/database/index.ts";
import { makeCells } from "./cells.ts";
import { type Change, changed } from "./change.ts";
import { type SmallRow, type SmallRows, smallRows } from "./features.ts";
import { boxOf, cutCells, entriesOf, spellCell } from "./location.ts";
import { hashOf, type Packing, writePack, writePacks, writePages } from "./packs.ts";
import { columnsSql, footerBytes, joinFooters, OPTIONS, writeSlice } from "./parquet.ts";
import {
  CHUNK_SLICES,
  deflate,
  geometryBytes,
  keyOf,
  type MadeRecords,
  type MadeSegment,
  makeRecords,
  makeSegments,
  NO_RECORD,
  type NumberedRows,
  numberRows,
  SMALL_SEGMENT_ROWS,
  storedRecord,
} from "./records.ts";
import { countTables, findTables, type MadeTable, suggestTables } from "./tables.ts";
import { collectTerms, cutTerms } from "./terms.ts";

const WORLD: BBox = [-180, -90, 180, 90];

export interface SmallOptions {
  /** Makes the dataset wrong in this way. */
  readonly change?: Change;
  /** Default: all. */
  readonly collections?: readonly CollectionName[];
  /** Replaces the rows of `smallRows`. */
  readonly rows?: SmallRows;
  /** Rows of a segment of ids. Default: few, so that a country has several segments. */
  readonly segmentRows?: number;
}

/** Writes the dataset into the folder. */
export async function writeSmallDataset(
  folder: string,
  { change = {}, collections: chosen = COLLECTION_NAMES, rows = smallRows(), segmentRows }: SmallOptions = {},
): Promise<void> {
  const database = await openDatabase({ folder, threads: 1 });
  try {
    const collections: Manifest["collections"] = {};
    for (const name of chosen) {
      const own = rows[name];
      if (!own) continue;
      const made = await new CollectionWriter(database, { folder, collection: name, change }, own).write(
        rows,
        segmentRows,
      );
      collections[name] = changed(change, "collection", made, { collection: name, index: 0 });
    }
    const rejects = await writeRejects(database, folder);
    const manifest: Omit<Manifest, "sha256"> = {
      format: "cairn",
      format_version: FORMAT_VERSION,
      release: "small",
      fold_version: FOLD_VERSION,
      attribution: [{ dataset: "OpenStreetMap", license: "ODbL-1.0", text: "© OpenStreetMap contributors" }],
      rejects,
      collections,
    };
    const bytes = await writeManifestFile(changed(change, "manifest", manifest, { index: 0 }));
    await writeFile(join(folder, MANIFEST_PATH), bytes);
  } finally {
    database.close();
  }
  for (const name of [".rows.json", ".rows.parquet", "spill"])
    await rm(join(folder, name), { recursive: true, force: true });
}

async function writeRejects(database: Database, folder: string): Promise<Manifest["rejects"]> {
  const path = join(folder, REJECTS_PATH);
  await database.run(`
    COPY (SELECT 'place' AS collection, 'place.geojson' AS source, 'lost' AS id, 'missing geometry' AS reason, 'geometry is null' AS detail)
    TO '${path}' (FORMAT parquet)`);
  const bytes = new Uint8Array(await readFile(path));
  return { rows: 1, bytes: bytes.length, sha256: hashOf(bytes), reasons: { "missing geometry": 1 } };
}

class CollectionWriter {
  readonly #database: Database;
  readonly #packing: Packing;
  readonly #name: CollectionName;
  readonly #change: Change;
  readonly #byCountry: ReadonlyMap<string, readonly SmallRow[]>;

  constructor(database: Database, packing: Packing, rows: readonly SmallRow[]) {
    this.#database = database;
    this.#packing = packing;
    this.#name = packing.collection;
    this.#change = packing.change;
    this.#byCountry = groupByCountry(rows.toSorted((a, b) => (a.country < b.country ? -1 : 1)));
  }

  async write(all: SmallRows, segmentRows = SMALL_SEGMENT_ROWS): Promise<ManifestCollection> {
    await mkdir(this.#packing.folder, { recursive: true });
    const rows = new Map(
      [...this.#byCountry].map(([country, own]) => [
        country,
        changed(this.#change, "rows", own, { collection: this.#name, country, index: 0 }),
      ]),
    );
    const flat = [...rows.values()].flat();
    const sample = flat
      .slice(0, 3)
      .map((row) => new TextDecoder().decode(storedRecord(row).json))
      .join("");
    const dictionary = new TextEncoder().encode(sample).slice(0, 1024);
    const [stored] = await writePacks(this.#packing, "dictionary", [
      changed(this.#change, "dictionary", deflate(dictionary), { collection: this.#name, index: 0 }),
    ]);
    const numbered = numberRows(rows, segmentRows);
    const cells = new Map(
      [...this.#byCountry].map(([country, own]) => [
        country,
        changed(this.#change, "cells", cutCells(own), { collection: this.#name, country, index: 0 }),
      ]),
    );
    const records = await makeRecords(this.#name, cells, { dictionary, change: this.#change });
    const segments = await makeSegments(this.#name, numbered, { records, change: this.#change });
    const addressOf = (row: SmallRow): number => records.addresses.get(keyOf(row)) ?? NO_RECORD;
    const location = await this.#writeLocation(cells, numbered, records);
    const run = (name: AnyRunName, nodes: readonly PartitionNode[]): Promise<ManifestRun> =>
      this.#writeIndex(name, nodes);
    const tables = async (name: AnyRunName, made: readonly MadeTable[]): Promise<ManifestRun> =>
      run(name, await this.#writeTables(name as TableRun, made));
    const all_ = [...this.#byCountry.values()].flat();
    return {
      rows: all_.length,
      bbox: bboxUnion(all_.map(boxOf)),
      countries: Object.fromEntries([...this.#byCountry].map(([country, own]) => [country, own.length])),
      segments: { ...numbered.firsts },
      chunks: { ...records.firsts },
      dictionary: stored as Slice,
      ignored_columns: [],
      runs: {
        location: await run("location", location),
        records: await run("records", await this.#writeRecords(records)),
        ids: await run("ids", await this.#writeSegments(segments)),
        term: await run("term", await this.#writeTerms(rows, numbered)),
        ...(this.#name === "division"
          ? { suggest: await tables("suggest", suggestTables(flat, all.division_area ?? [])) }
          : {}),
        find: await tables("find", findTables(flat, addressOf)),
        count_cell: await run("count_cell", await this.#writeCells(numbered)),
        ...(this.#name === "place"
          ? {
              count_brand: await tables("count_brand", countTables("count_brand", flat)),
              count_category: await tables("count_category", countTables("count_category", flat)),
              count_country: await tables("count_country", countTables("count_country", flat)),
            }
          : {}),
      },
    };
  }

  async #writeIndex(run: AnyRunName, nodes: readonly PartitionNode[]): Promise<ManifestRun> {
    const at = (index: number) => ({ collection: this.#name, run, index });
    const written = nodes.map((node, index) =>
      changed(this.#change, "node", node, { ...at(index), country: node.country }),
    );
    const bytes = written.reduce((sum, node) => sum + node.bytes, 0);
    const roots = await writePages(this.#packing, run, written);
    return { partitions: written.length, bytes, nodes: [...changed(this.#change, "nodes", roots, at(-1))] };
  }

  async #writeLocation(
    cells: ReadonlyMap<string, readonly (readonly SmallRow[])[]>,
    numbered: NumberedRows,
    records: MadeRecords,
  ): Promise<LocationNode[]> {
    const made: { country: string; bytes: Uint8Array; points: Uint8Array; rows: readonly SmallRow[] }[] = [];
    const source = {
      database: this.#database,
      folder: this.#packing.folder,
      collection: COLLECTIONS[this.#name as KnownCollection],
    };
    for (const [country, own] of cells) {
      const first = firstNumberOf(numbered.firsts[country] ?? 0);
      for (const rows of own) {
        const at = { collection: this.#name, country, run: "location", index: made.length } as const;
        const columns = changed(this.#change, "columns", columnsSql(source.collection), at);
        const entries = changed(this.#change, "entries", entriesOf(this.#name, country, rows), at);
        const points = rows.map((row) => ({
          geometry: geometryBytes(row),
          number: (numbered.numbers.get(keyOf(row)) ?? 0) - first,
        }));
        const sizes = changed(this.#change, "sizes", records.slices[made.length]?.groups ?? [], at);
        made.push({
          country,
          bytes: await writeSlice(source, rows, {
            columns,
            options: changed(this.#change, "options", OPTIONS, at),
            entries,
          }),
          points: await writePoints(
            changed(this.#change, "points", points, at),
            { groups: sizes, record: records.slices[made.length]?.record ?? 0, sectionBytes: SMALL_SECTION_BYTES },
            deflate,
          ),
          rows,
        });
      }
    }
    const points = await writePacks(
      this.#packing,
      "points",
      made.map((slice) => slice.points),
    );
    const nodes: LocationNode[] = [];
    for (const [country, own] of groupByCountry(made)) {
      for (let start = 0; start < own.length; start += CHUNK_SLICES) {
        const slices = own.slice(start, start + CHUNK_SLICES);
        const rows = slices.flatMap((slice) => slice.rows);
        const at = { collection: this.#name, country, index: start / CHUNK_SLICES };
        const entries = changed(this.#change, "entries", entriesOf(this.#name, country, rows), at);
        const joint = changed(
          this.#change,
          "joint",
          joinFooters(
            slices.map(({ bytes }) => bytes),
            entries,
          ),
          at,
        );
        const geohash = spellCell(rows);
        const pathOf = (name: string): string => locationPackPath(this.#name, { country, pack: `${geohash}/${name}` });
        const tail = slices.length > 1 ? footerBytes(joint) : new Uint8Array();
        const published = slices.map(({ bytes }, i) =>
          changed(this.#change, "slice", bytes, { ...at, run: "location", index: start + i }),
        );
        const written = await writePack(this.#packing, published, {
          run: "location",
          index: start / CHUNK_SLICES,
          pathOf,
          tail,
        });
        for (const [i, slice] of slices.entries()) {
          const place = written[i] as Slice;
          const bbox = bboxUnion(slice.rows.map(boxOf));
          nodes.push({
            ...place,
            pack: `${geohash}/${place.pack}`,
            rows: slice.rows.length,
            bbox,
            country,
            geohash: spellCell(slice.rows),
            points: withSections(points[nodes.length] as Slice, made[nodes.length]?.points, bbox),
            record: records.slices[nodes.length]?.record ?? 0,
          });
        }
      }
    }
    return nodes;
  }

  async #writeRecords({ chunks }: MadeRecords): Promise<ChunkNode[]> {
    const slices = await writePacks(
      this.#packing,
      "records",
      chunks.map(({ bytes }) => bytes),
    );
    return chunks.map(
      ({ country, chunk, blocks, rows }, i): ChunkNode => ({
        ...(slices[i] as Slice),
        rows: rows.length,
        bbox: bboxUnion(rows.map(boxOf)),
        country,
        chunk,
        blocks,
      }),
    );
  }

  async #writeSegments(segments: readonly MadeSegment[]): Promise<SegmentNode[]> {
    const slices = await writePacks(
      this.#packing,
      "ids",
      segments.map(({ bytes }) => bytes),
    );
    const starts = new Map<string, number>();
    return segments.map(({ country, segment, blocks, rows }, i): SegmentNode => {
      const start = starts.get(country) ?? 0;
      starts.set(country, start + rows.length);
      const [first_id, last_id] = [rows[0]?.id ?? "", rows.at(-1)?.id ?? ""];
      return {
        ...(slices[i] as Slice),
        rows: rows.length,
        bbox: bboxUnion(rows.map(boxOf)),
        country,
        first_id,
        last_id,
        start,
        segment,
        blocks,
      };
    });
  }

  async #writeTerms(
    rows: ReadonlyMap<string, readonly SmallRow[]>,
    { firsts, numbers }: NumberedRows,
  ): Promise<TermNode[]> {
    const written = [...rows].map(([country, own]) => {
      const first = firstNumberOf(firsts[country] ?? 0);
      return { country, own, terms: collectTerms(own, (row) => (numbers.get(keyOf(row)) ?? 0) - first) };
    });
    if (WORLDWIDE.has(this.#name)) {
      const all = [...rows.values()].flat();
      const numberOf = (row: SmallRow): number => numbers.get(keyOf(row)) ?? 0;
      written.unshift({
        country: ALL_COUNTRIES,
        own: all,
        terms: collectTerms(all, numberOf, { byEnds: BY_ENDS.has(this.#name) }),
      });
    }
    const nodes: Omit<TermNode, keyof Slice>[] = [];
    const slices: Uint8Array[] = [];
    for (const { country, own, terms } of written) {
      let [term, inTerm] = ["", 0];
      for (const slice of changed(this.#change, "terms", cutTerms(terms), {
        collection: this.#name,
        country,
        index: 0,
      })) {
        const counted = slice.reduce((sum, { numbers }) => sum + numbers.length, 0);
        const [first_term, last_term] = [slice[0]?.term ?? "", slice.at(-1)?.term ?? ""];
        const start = first_term === term ? inTerm : 0;
        nodes.push({ rows: counted, bbox: bboxUnion(own.map(boxOf)), country, first_term, last_term, start });
        [term, inTerm] = [last_term, start + counted];
        slices.push(writePostings(slice, deflate));
      }
    }
    const places = await writePacks(this.#packing, "term", slices);
    return nodes.map((node, i) => ({ ...(places[i] as Slice), ...node }));
  }

  async #writeCells(numbered: NumberedRows): Promise<TermNode[]> {
    const made = [...this.#byCountry].flatMap(([country, own]) => {
      const first = firstNumberOf(numbered.firsts[country] ?? 0);
      const numberOf = (row: SmallRow): number => (numbered.numbers.get(keyOf(row)) ?? 0) - first;
      return makeCells(this.#name as KnownCollection, own, numberOf).map((slice) => ({ country, ...slice }));
    });
    const slices = made.map(({ bytes, country }, index) =>
      changed(this.#change, "counts", bytes, { collection: this.#name, run: "count_cell", country, index }),
    );
    const places = await writePacks(this.#packing, "count_cell", slices);
    return made.map(({ bytes: _, ...node }, i) => ({ ...(places[i] as Slice), ...node, start: 0 }));
  }

  async #writeTables(run: TableRun, made: readonly MadeTable[]): Promise<TermNode[]> {
    const slices = made.map(({ table, country }, index) => {
      const own = changed(this.#change, "table", table, { collection: this.#name, run, country, index });
      return writeTable(run === "suggest" ? packSuggestions(own) : own, deflate);
    });
    const places = await writePacks(this.#packing, run, slices);
    return made.map(({ country, table, rows, first_term, last_term, start }, i) => ({
      ...(places[i] as Slice),
      rows,
      bbox: run === "suggest" ? bboxUnion((table.bbox ?? []) as unknown as BBox[]) : WORLD,
      country,
      first_term,
      last_term,
      start,
    }));
  }
}

type TableRun = Exclude<AnyRunName, "location" | "records" | "ids" | "term" | "count_cell" | "table">;

function groupByCountry<Item extends { readonly country: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(item.country, [...(groups.get(item.country) ?? []), item]);
  return groups;
}

/** Few rows have several sections. */
const SMALL_SECTION_BYTES = 64;

function withSections(slice: Slice, bytes: Uint8Array | undefined, bbox: BBox): LocationNode["points"] {
  const sections = bytes && writeSections(bytes, bbox);
  return sections === undefined ? slice : { ...slice, sections };
}
