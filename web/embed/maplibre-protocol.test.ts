import { beforeAll, expect, test } from "vitest";
import { buildSample } from "../engine/testing/sample.ts";
import { cairnProtocol } from "./maplibre-protocol.ts";
import { open } from "./node/index.ts";
import type { Cairn } from "./types.ts";

let cairn: Cairn;
beforeAll(async () => {
  cairn = await open(await buildSample());
});

const MONACO = "places/14/8529/5974";

test("a tile is the same as from the REST interface, under any protocol name", async () => {
  const expected = await (await cairn.fetch(`/tiles/${MONACO}.mvt`)).arrayBuffer();
  expect(expected.byteLength).toBeGreaterThan(1000);
  for (const name of ["cairn", "my-data"]) {
    const { data } = await cairnProtocol(cairn)({ url: `${name}://${MONACO}` }, new AbortController());
    expect(data).toEqual(expected);
  }
});

test("an empty area gives an empty tile", async () => {
  const { data } = await cairnProtocol(cairn)({ url: "cairn://places/14/0/0" }, new AbortController());
  expect(data.byteLength).toBe(0);
});

test.each([
  ["cairn://shops/14/0/0", 404, /"shops" has no tiles; there are those of places/],
  ["cairn://places/14/0/-1", 400, /y must be a whole number from 0 to 16383, got "-1"/],
  ["cairn://places/14/0", 400, /must be <protocol>:\/\/<collection>\/<z>\/<x>\/<y>, got cairn:\/\/places\/14\/0/],
])("%s fails with the reason", async (url, status, message) => {
  const failed = cairnProtocol(cairn)({ url }, new AbortController());
  await expect(failed).rejects.toMatchObject({ status, message: expect.stringMatching(message) });
});

test("a tile that is no longer needed is aborted", async () => {
  const controller = new AbortController();
  const wanted = cairnProtocol(cairn)({ url: "cairn://segment/9/104/193" }, controller);
  controller.abort();
  await expect(wanted).rejects.toMatchObject({ name: "AbortError" });
});
