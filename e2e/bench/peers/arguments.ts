/**
 * Arguments of the benchmark: which part of it to run.
 * @module
 */
import { parseArgs } from "node:util";
import type { PeerName, Question } from "./question.ts";
import { NETWORKS, type Network } from "./slow-host.ts";

export type State = "first" | "cached" | "cold" | "warm" | "pan";

export const STATES: Readonly<Record<State, string>> = {
  first: "first visit: empty browser, opening included",
  cached: "new page, files cached, opening included",
  cold: "opened, no data yet",
  warm: "the same again",
  pan: "300 m beside it",
};

const PEERS: readonly PeerName[] = ["cairn-scan", "cairn-sql", "cairn-auto", "flatgeobuf", "hyparquet"];
const RADII: Readonly<Record<string, number>> = { "300m": 300, "1km": 1000, "10km": 10_000, "50km": 50_000 };
/** In the densest town of the synthetic places, and far from towns. */
const CENTRES = { dense: { lon: 151.2, lat: -33.87 }, sparse: { lon: 150.3, lat: -33.3 } };
const USAGE = `npm run bench -- [--places 1000000] [--runs 5] [--peers ${PEERS.join(",")}] [--networks ${Object.keys(NETWORKS).join(",")}]
  [--states ${Object.keys(STATES).join(",")}] [--radii ${Object.keys(RADII).join(",")}] [--centres dense,sparse] [--limits 25,1000] [--pages 0,39] [--write]

--write puts the tables into docs/benchmarks.md.`;

export interface BenchOptions {
  readonly places: number;
  readonly runs: number;
  readonly peers: readonly PeerName[];
  readonly networks: readonly Network[];
  readonly states: readonly State[];
  readonly questions: readonly Question[];
  readonly isWritten: boolean;
}

/** Parses the arguments; throws with what is allowed. */
export function parseBenchArguments(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      places: { type: "string", default: "1000000" },
      runs: { type: "string", default: "5" },
      peers: { type: "string", default: "cairn-scan,cairn-sql,flatgeobuf,hyparquet" },
      networks: { type: "string", default: "fast" },
      states: { type: "string", default: "cold,warm,pan" },
      radii: { type: "string", default: "1km,10km,50km" },
      centres: { type: "string", default: "dense,sparse" },
      limits: { type: "string", default: "25" },
      pages: { type: "string", default: "0" },
      write: { type: "boolean", default: false },
    },
  });
  const radii = chosen("radii", values.radii, Object.keys(RADII));
  const centres = chosen("centres", values.centres, ["dense", "sparse"] as const);
  const limits = values.limits.split(",").map((limit) => count("limits", limit, 1));
  const pages = values.pages.split(",").map((page) => count("pages", page, 0));
  return {
    places: count("places", values.places, 1),
    runs: count("runs", values.runs, 1),
    peers: chosen("peers", values.peers, PEERS),
    networks: chosen("networks", values.networks, Object.keys(NETWORKS)).flatMap((name) => NETWORKS[name] ?? []),
    states: chosen("states", values.states, Object.keys(STATES) as State[]),
    questions: centres.flatMap((centre) =>
      radii.flatMap((radius) =>
        limits.flatMap((limit) =>
          pages.map((page) => {
            const name = `${radius} ${centre}, limit ${limit}, page ${page}`;
            return { name, ...CENTRES[centre], radiusMeters: RADII[radius] ?? 0, limit, page };
          }),
        ),
      ),
    ),
    isWritten: values.write,
  };
}

function chosen<T extends string>(option: string, text: string, allowed: readonly T[]): T[] {
  return text.split(",").map((part) => {
    const found = allowed.find((name) => name === part);
    if (found === undefined) throw new Error(`--${option} has ${part}, allowed are ${allowed.join(", ")}\n\n${USAGE}`);
    return found;
  });
}

function count(option: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${option} has ${text}, expected whole numbers from ${least}\n\n${USAGE}`);
}
