/**
 * Arguments that select a part of the benchmark.
 * @module
 */
import { readOptions } from "../../support/options.ts";
import { PEER_NAMES, type PeerName } from "./question.ts";
import { CENTRES, FORMATS, KINDS, NAMES, type QuestionChoice, RADII } from "./questions.ts";
import { NETWORKS, type Network, type NetworkName } from "./slow-host.ts";
import { STATE_NAMES, type State } from "./visits.ts";

const USAGE = `npm run bench -- [--places 1000000 | --dataset <folder>] [--runs 3] [--add] [--write]
  [--peers ${PEER_NAMES.join(",")}]
  [--networks ${Object.keys(NETWORKS).join(",")}] [--states ${STATE_NAMES.join(",")}] [--ask ${KINDS.join(",")}]
  [--radii ${Object.keys(RADII).join(",")}] [--centres ${CENTRES.join(",")}] [--limits 25,1000] [--pages 0,39]
  [--country-pages 0,200] [--names ${NAMES.join(",")}] [--formats ${FORMATS.join(",")}]
  [--product] [--growth 100000,300000,1000000]

Every question runs with the first limit, page and network. The other values run with the first question of each kind.
--product  run all combinations
--dataset  measure this dataset (default: synthetic places in .cairn/bench)
--add      keep the results of earlier runs of the same dataset on this machine; with --runs 0 measure nothing
--growth   measure datasets of these sizes, and results of several sizes from the largest
--write    store the results and plots for docs/benchmarks.md`;

export interface BenchOptions {
  readonly places: number;
  /** Folder of an existing dataset. */
  readonly dataset: string | undefined;
  readonly runs: number;
  readonly peers: readonly PeerName[];
  readonly networks: readonly Network[];
  readonly states: readonly State[];
  readonly questions: QuestionChoice;
  /** True to ask all combinations. */
  readonly isProduct: boolean;
  /** Rows of the datasets to compare; may be empty. */
  readonly growth: readonly number[];
  /** True to keep earlier results of the dataset and include them in the report. */
  readonly isAdded: boolean;
  readonly isWritten: boolean;
}

/** Reads the options. Ends the process with the allowed values if one is invalid. */
export function readBenchOptions(): BenchOptions {
  const { values, refuse } = readOptions({
    usage: USAGE,
    options: {
      places: { type: "string", default: "1000000" },
      dataset: { type: "string" },
      runs: { type: "string", default: "3" },
      peers: { type: "string", default: PEER_NAMES.join(",") },
      networks: { type: "string", default: "fast,none,slow" },
      states: { type: "string", default: "cold,warm,pan,first,cached" },
      ask: { type: "string", default: KINDS.join(",") },
      radii: { type: "string", default: "1km,300m,10km,50km" },
      centres: { type: "string", default: CENTRES.join(",") },
      limits: { type: "string", default: "25,1000" },
      pages: { type: "string", default: "0,39" },
      "country-pages": { type: "string", default: "0,200" },
      names: { type: "string", default: NAMES.join(",") },
      formats: { type: "string", default: FORMATS.join(",") },
      product: { type: "boolean", default: false },
      growth: { type: "string", default: "" },
      add: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });

  function chosen<T extends string>(option: string, text: string, allowed: readonly T[]): T[] {
    return text.split(",").map((part) => {
      const found = allowed.find((name) => name === part);
      return found ?? refuse(`--${option} has ${part}, allowed are ${allowed.join(", ")}`);
    });
  }

  function count(option: string, text: string, least: number): number {
    const value = Number(text);
    if (text !== "" && Number.isInteger(value) && value >= least) return value;
    return refuse(`--${option} has ${text}, expected whole numbers from ${least}`);
  }

  function counts(option: string, text: string, least: number): number[] {
    return text.split(",").map((part) => count(option, part, least));
  }

  const { places, dataset, runs, growth, add } = values;
  return {
    places: count("places", places, 1),
    dataset,
    runs: count("runs", runs, add ? 0 : 1),
    peers: chosen("peers", values.peers, PEER_NAMES),
    networks: chosen("networks", values.networks, Object.keys(NETWORKS) as NetworkName[]).map((name) => NETWORKS[name]),
    states: chosen("states", values.states, STATE_NAMES),
    questions: {
      kinds: chosen("ask", values.ask, KINDS),
      radii: chosen("radii", values.radii, Object.keys(RADII)),
      centres: chosen("centres", values.centres, CENTRES),
      limits: counts("limits", values.limits, 1),
      pages: counts("pages", values.pages, 0),
      countryPages: counts("country-pages", values["country-pages"], 0),
      names: chosen("names", values.names, NAMES),
      formats: chosen("formats", values.formats, FORMATS),
    },
    isProduct: values.product,
    growth: growth === "" ? [] : counts("growth", growth, 1),
    isAdded: add,
    isWritten: values.write,
  };
}
