/** Handlers for searches and exports of the page. @module */
import type { CollectionName } from "../../../../data/format/collections.ts";
import { MAX_ORDERED_ROWS } from "../../../../data/format/limits.ts";
import {
  type CategoryWords,
  type Dataset,
  type FacetCount,
  type Feature,
  type HeldCircle,
  nextTask,
  type SearchReport,
} from "../../../engine/index.ts";
import {
  COUNT_PATHS,
  findRecord,
  ParameterError,
  parseSearch,
  pathNamed,
  runCount,
  runFacet,
  runSearch,
  type SearchPath,
  searchPathsOf,
  withOrder,
} from "../../../search/index.ts";
import { findMatchAt, findMatches, matchesOf } from "../matches/index.ts";
import { loadPart } from "../parts/index.ts";
import type {
  AnswerReport,
  ExportArgument,
  ExportedRows,
  HoursCalls,
  Origin,
  RemoteHandlers,
  SearchArgument,
  SearchCalls,
} from "../protocol/index.ts";

/** Time in milliseconds for which records are made before other calls get a turn. */
const SLICE_MS = 20;

/** Maximum bytes of index pages that are read to show where there is data. Searches often have them in memory. */
const MOST_BOX_BYTES = 64 * 1024;

interface SearchHandlersOptions {
  during<V>(work: Promise<V>): Promise<V>;
  /** Returns the rows of the user's files for an export; undefined if it includes none. */
  rowsOf(argument: ExportArgument): Promise<ExportedRows | undefined>;
  /** Returns whether more may be read than answers need. */
  allowsPrefetch(): boolean;
}

/** Returns the search path of the dataset. Throws `ParameterError` for a path that the dataset does not have. */
async function pathIn(dataset: Dataset, path: string, signal: AbortSignal): Promise<SearchPath> {
  const paths = searchPathsOf(await dataset.manifest(signal));
  const found = paths.find((known) => known.path === path);
  if (found) return found;
  throw new ParameterError([
    `${path} is not a path of this dataset; it has ${paths.map((known) => known.path).join(", ")}`,
  ]);
}

/** Returns the functions of the worker that answer searches, suggestions and exports from the dataset. */
export function searchHandlers(
  opened: () => Promise<{
    readonly dataset: Dataset;
    readonly origins: ReadonlyMap<string, Origin>;
    readonly held: () => Promise<readonly HeldCircle[]>;
    /** Category names in a language; undefined for one without a table. */
    readonly categoryWords: (language: string) => Promise<CategoryWords | undefined>;
  }>,
  { during, rowsOf, allowsPrefetch }: SearchHandlersOptions,
): Pick<RemoteHandlers, keyof (SearchCalls & HoursCalls) | "statisticsTable" | "export"> {
  async function parsed({ path, parameters, area, order }: SearchArgument, signal: AbortSignal) {
    const { dataset } = await opened();
    const asked = parseSearch(await pathIn(dataset, path, signal), parameters, area);
    return { dataset, search: order && order.by !== "column" ? withOrder(asked, order) : asked };
  }

  async function run(argument: SearchArgument, signal: AbortSignal) {
    const { dataset, search } = await parsed(argument, signal);
    return { search, result: await runSearch(dataset, search, { signal }) };
  }

  /** A search whose rows are filtered or ordered after they are read; undefined for others. */
  async function arranged(argument: SearchArgument, signal: AbortSignal) {
    const { order, openAt } = argument;
    const column = order?.by === "column" ? order : undefined;
    if (!column && openAt === undefined) return undefined;
    const { dataset, search } = await parsed(argument, signal);
    const { arrangedSearch } = await loadPart(() => import("./arrange.ts"));
    return arrangedSearch(dataset, search, { order: column, openAt, signal });
  }

  async function answer(argument: SearchArgument, signal: AbortSignal) {
    try {
      const special = await arranged(argument, signal);
      if (special) {
        const { origins } = await opened();
        return { kind: "found", ...special, report: withOrigins(special.report, origins) } as const;
      }
      const { search, result } = await run(argument, signal);
      const { origins } = await opened();
      const body = await inSlices(result.features(search.shown.properties), signal);
      return { kind: "found", total: result.total, body, report: withOrigins(result.report, origins) } as const;
    } catch (error) {
      if (error instanceof ParameterError) return { kind: "refused", faults: error.faults } as const;
      throw error;
    }
  }

  async function boxesOf(path: string, signal: AbortSignal) {
    const { dataset } = await opened();
    const { collections } = await pathIn(dataset, path, signal);
    return dataset.rowBoxes(collections, { maxBytes: allowsPrefetch() ? MOST_BOX_BYTES : 0, signal });
  }

  /** Of all rows that the map shows. Divisions are everywhere. */
  async function allBoxes(dataset: Dataset, signal: AbortSignal) {
    const { collections } = await dataset.manifest(signal);
    const names = Object.keys(collections).filter((name) => !name.startsWith("division")) as CollectionName[];
    return dataset.rowBoxes(names, { maxBytes: allowsPrefetch() ? MOST_BOX_BYTES : 0, signal });
  }

  return {
    search: (argument, signal) => during(answer(argument, signal)),
    async matches({ search: argument, view }, signal) {
      const { dataset, search } = await parsed(argument, signal);
      const { openAt } = argument;
      if (openAt === undefined) return findMatches(dataset, search, { view, signal });
      const { arrangedSearch } = await loadPart(() => import("./arrange.ts"));
      const everything = { ...search, query: { ...search.query, offset: 0, limit: MAX_ORDERED_ROWS } };
      const { total, body } = await arrangedSearch(dataset, everything, { openAt, signal });
      // too many to decide which are open
      if (total > body.length) return findMatches(dataset, search, { view, signal });
      return matchesOf(
        body.map(({ geometry }) => geometry),
        true,
      );
    },
    async matchAt({ search: argument, lon, lat }, signal) {
      const { dataset, search } = await parsed(argument, signal);
      return during(findMatchAt(dataset, search, { lon, lat }, { signal }));
    },
    async prepare(argument, signal) {
      if (argument.openAt === undefined && argument.order?.by !== "column") await run(argument, signal);
      return undefined;
    },
    async count({ path, parameters, area }, signal) {
      const counted = pathNamed(COUNT_PATHS, path);
      const search = parseSearch(counted, parameters, area);
      const { dataset } = await opened();
      return (await during(runCount(dataset, counted, search, { signal }))).groups;
    },
    async facet({ search: { path, parameters, area }, facet }, signal) {
      const { dataset } = await opened();
      const search = parseSearch(await pathIn(dataset, path, signal), parameters, area);
      const counts = await during(runFacet(dataset, facet, search, { signal }));
      return facet === "taxonomy" ? withParents(counts, await categoryParents()) : counts;
    },
    async histogram({ search: argument, column }, signal) {
      const { dataset, search } = await parsed(argument, signal);
      const { histogramOf } = await loadPart(() => import("../columns/histogram.ts"));
      return during(histogramOf(dataset, search, { column, signal }));
    },
    async statisticsTable({ path, parameters, area }, signal) {
      const { dataset } = await opened();
      const search = parseSearch(await pathIn(dataset, path, signal), parameters, area);
      // keeps Arrow's writer out of the first visit
      const { statisticsTable } = await loadPart(() => import("../statistics/index.ts"));
      return during(statisticsTable(dataset, search, signal));
    },
    async find({ path, id, near }, signal) {
      const { dataset } = await opened();
      return during(findRecord(dataset, await pathIn(dataset, path, signal), id, { signal, near }));
    },
    async export(argument, signal, report) {
      const { dataset } = await opened();
      // keeps the CSV writer out of the first visit
      const { writeExport } = await loadPart(() => import("./export.ts"));
      return writeExport(argument, { dataset, rows: await rowsOf(argument), onProgress: report, signal });
    },
    async hours(question) {
      const { hoursOf } = await loadPart(() => import("../hours/index.ts"));
      return hoursOf(question);
    },
    async reverse({ lat, lon, language, hasDivisions }, signal) {
      const { dataset } = await opened();
      // rarely used code is not part of the first visit
      const { DEFAULT_REVERSE_METERS, runReverse } = await loadPart(() => import("../../../geocode/index.ts"));
      const circle = { lat, lon, radiusMeters: DEFAULT_REVERSE_METERS };
      return during(runReverse(dataset, { circle, language, hasDivisions }, { signal }));
    },
    async mcp(body, signal) {
      const { dataset } = await opened();
      // few browsers have an agent that uses this
      const { answerMcp } = await loadPart(() => import("../../../mcp/index.ts"));
      const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
      const request = new Request(new URL("mcp", location.href), { method: "POST", headers, body, signal });
      return during(answerMcp(request, { dataset }).then((response) => response.text()));
    },
    async changes(parameters, signal) {
      const { dataset } = await opened();
      const { parseChanges, runChanges } = await loadPart(() => import("../../../changes/index.ts"));
      try {
        const found = await during(runChanges(dataset, parseChanges(parameters), { signal }));
        return { kind: "compared", found };
      } catch (error) {
        if (error instanceof ParameterError) return { kind: "refused", faults: error.faults };
        throw error;
      }
    },
    async collectionTile({ collection, ...tile }, signal) {
      const { readTile } = await loadPart(() => import("../../../tiles/index.ts"));
      const { dataset } = await opened();
      const { collections } = await dataset.manifest(signal);
      const layers = collections[collection] ? [collection] : [];
      return (await readTile(dataset, { ...tile, layers }, { signal })).data.buffer;
    },
    async coverageTile({ path, ...tile }, signal) {
      const { coverageTile, SHAPES_ZOOM } = await loadPart(() => import("./coverage-tiles.ts"));
      const { dataset } = await opened();
      const everything = tile.z < SHAPES_ZOOM ? undefined : await allBoxes(dataset, signal);
      return coverageTile(await boxesOf(path, signal), tile, everything);
    },
    async isCovered(box, signal) {
      const { isCovered } = await loadPart(() => import("./coverage-tiles.ts"));
      const { dataset } = await opened();
      return isCovered(await allBoxes(dataset, signal), box);
    },
    async towns({ path, language }, signal) {
      const { dataset } = await opened();
      const { townsIn } = await loadPart(() => import("./towns.ts"));
      return during(boxesOf(path, signal).then((boxes) => townsIn(dataset, boxes, { language, signal })));
    },
    async categoryNames(language) {
      const { categoryWords } = await opened();
      const words = (await categoryWords(language)) ?? {};
      return new Map(Object.entries(words).flatMap(([id, [name]]) => (name === undefined ? [] : [[id, name]])));
    },
    async position({ text, town }) {
      const { nearTown, parseCode, parseShortCode } = await loadPart(
        () => import("../../../../data/positions/index.ts"),
      );
      const short = parseShortCode(text);
      if (!short) return parseCode(text);
      return town ? nearTown(short.code, town) : { town: short.town };
    },
    async suggest(query, signal) {
      const { dataset, held } = await opened();
      let isPartial = false;
      const onMissing = () => {
        isPartial = true;
      };
      const found = await during(dataset.suggest({ ...query, held, onMissing }, { signal }));
      return { found, isPartial };
    },
  };
}

/**
 * Returns the counts, each with its first parent in the table that is also counted. Returns them unchanged if any has a parent
 * already.
 */
export function withParents(
  counts: readonly FacetCount[],
  parentTable: Readonly<Record<string, string>>,
): readonly FacetCount[] {
  if (counts.some(({ parent }) => parent !== undefined)) return counts;
  const counted = new Set(counts.map(({ value }) => value));
  return counts.map((count) => ({
    ...count,
    parent: parentTable[count.value]?.split(" ").find((parent) => counted.has(parent)),
  }));
}

async function inSlices(records: Iterable<Feature>, signal: AbortSignal): Promise<Feature[]> {
  const made: Feature[] = [];
  let sliceStart = performance.now();
  for (const record of records) {
    made.push(record);
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await nextTask();
    signal.throwIfAborted();
    sliceStart = performance.now();
  }
  return made;
}

function withOrigins(report: SearchReport, origins: ReadonlyMap<string, Origin>): AnswerReport {
  const files = report.files.map((file) => {
    const origin = origins.get(`${file.path}@${file.offset}`) ?? origins.get(file.path) ?? "network";
    return { ...file, from: file.from === "memory" ? file.from : origin };
  });
  return { ...report, files };
}

/** Loads the parents of each category, those with most places first. Empty if the table cannot be loaded. */
function categoryParents(): Promise<Readonly<Record<string, string>>> {
  return loadPart(() => import("./category-parents.json")).then(
    (table) => table.default,
    () => ({}),
  );
}
