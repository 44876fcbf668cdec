import { expect, test } from "vitest";
import type { Failed } from "./measure.ts";
import type { Facts } from "./peer-files.ts";
import { type Asked, GivenUp, planOf } from "./plan.ts";
import { NETWORKS } from "./slow-host.ts";

const names = { exact: "bar du port", prefix: "bar", rare: "rascasse", hot: "monaco" };
const facts: Facts = { dense: { lon: 1, lat: 2 }, sparse: { lon: 3, lat: 4 }, country: "MC", category: "bar", names };
const choice = {
  networks: [NETWORKS.fast, NETWORKS.slow],
  states: ["cold", "warm", "first"],
  questions: {
    kinds: ["circle", "country"],
    radii: ["1km", "10km"],
    centres: ["dense", "sparse"],
    limits: [25, 1000],
    pages: [0, 39],
    countryPages: [0, 200],
    names: [],
    formats: [],
  },
} as const;
const BASE = "cold+warm";
const textOf = ({ question, network, states }: Asked): string =>
  [question.name, network === NETWORKS.fast ? "fast" : "slow", states.join("+")].join("; ");

test("every question is asked on the first network, the rest one at a time of the first of each kind", () => {
  expect(planOf({ ...choice, isProduct: false }, facts).map(textOf)).toEqual([
    `1km dense, limit 25, page 0; fast; ${BASE}`,
    `10km dense, limit 25, page 0; fast; ${BASE}`,
    `1km sparse, limit 25, page 0; fast; ${BASE}`,
    `10km sparse, limit 25, page 0; fast; ${BASE}`,
    `MC by id, page 0; fast; ${BASE}`,
    `MC by id, page 200; fast; ${BASE}`,
    `1km dense, limit 1000, page 0; fast; ${BASE}`,
    `1km dense, limit 25, page 39; fast; ${BASE}`,
    "1km dense, limit 25, page 0; fast; first",
    "MC by id, page 0; fast; first",
    `1km dense, limit 25, page 0; slow; ${BASE}`,
    `MC by id, page 0; slow; ${BASE}`,
  ]);
});

test("a product asks all combinations", () => {
  const circles = 2 * 2 * 2 * 2;
  const plan = planOf({ ...choice, isProduct: true }, facts).map(textOf);
  expect(new Set(plan).size).toBe((circles + 2) * 2 * 2);
});

test("who was late is not asked the same or a larger circle again, and no one else is spared", () => {
  const circles = planOf({ ...choice, isProduct: false }, facts).filter(({ question }) => question.kind === "circle");
  const [near, far] = circles as [Asked, Asked];
  const late: Failed = { ...near, peer: "flatgeobuf", state: "cold", failure: "over 60 s" };
  const givenUp = new GivenUp();
  givenUp.note({ ...far, peer: "flatgeobuf" }, [{ ...late, failure: "no file" }]);
  expect(givenUp.inPlaceOf({ ...far, peer: "flatgeobuf" })).toBeUndefined();
  givenUp.note({ ...far, peer: "flatgeobuf" }, [{ ...late, question: far.question }]);
  expect(givenUp.inPlaceOf({ ...far, peer: "flatgeobuf" })).toHaveLength(far.states.length);
  expect(givenUp.inPlaceOf({ ...near, peer: "flatgeobuf" })).toBeUndefined();
  expect(givenUp.inPlaceOf({ ...far, peer: "hyparquet" })).toBeUndefined();
  expect(givenUp.inPlaceOf({ ...far, peer: "flatgeobuf", network: NETWORKS.slow })).toBeUndefined();
  expect(givenUp.inPlaceOf({ ...far, peer: "flatgeobuf", states: ["first"] })).toBeUndefined();
});
