import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Send } from "../client.ts";
import { runConformance } from "../run.ts";
import { MUTATIONS } from "./mutations.ts";
import { type Implementation, SOURCES, startImplementation } from "./own-interface.ts";

let implementation: Implementation;

beforeAll(async () => {
  implementation = await startImplementation();
});
afterAll(() => implementation.close());

async function failuresOf(fetch: Send, only: RegExp): Promise<string[]> {
  const lines: string[] = [];
  await runConformance({ fetch, sources: SOURCES, only, report: (line) => lines.push(line) });
  return lines.filter((line) => line.startsWith("not ok"));
}

describe("the suite fails for a deliberately broken implementation", () => {
  test.each(MUTATIONS)("$name", async ({ breaks, only }) => {
    expect(await failuresOf(breaks(implementation.send), only)).not.toEqual([]);
  });

  test("and passes the same checks for the correct one", async () => {
    const all = new RegExp(MUTATIONS.map(({ only }) => `(?:${only.source})`).join("|"));
    expect(await failuresOf(implementation.send, all)).toEqual([]);
  });
});
