import { expect, test } from "vitest";
import { EMPTY_SEARCH } from "../address/search.ts";
import { createAnswerMemory } from "./kept-answers.ts";
import type { Found } from "./session.ts";

const MANY = 20;
const answers = createAnswerMemory<Found>();

function answer(total: number, records = 1): Found {
  const record = { type: "Feature", id: "a", geometry: null, properties: {} } as unknown as Found["records"][number];
  return { search: EMPTY_SEARCH, total, records: Array.from({ length: records }, () => record), milliseconds: 30 };
}

test("the latest answers are in memory, the oldest ones are not", () => {
  for (let i = 0; i <= MANY; i++) answers.keep(`question ${i}`, answer(i));
  expect(answers.find("question 0")).toBeUndefined();
  expect(answers.find("question 1")?.total).toBe(1);
  expect(answers.find(`question ${MANY}`)?.total).toBe(MANY);
});

test("another answer to a question replaces the first", () => {
  answers.keep("again", answer(1));
  answers.keep("again", answer(2));
  expect(answers.find("again")?.total).toBe(2);
});

test("a long list is not in memory, nor an earlier answer to its question", () => {
  answers.keep("long", answer(1));
  answers.keep("long", answer(1, 101));
  expect(answers.find("long")).toBeUndefined();
});

test("an answer from memory says that nothing was read for it", () => {
  const report: NonNullable<Found["report"]> = {
    release: "2026-01-01.0",
    files: [{ path: "place/_points/a.pack", bytes: 10, offset: 0, from: "network" }],
    partitionsCounted: 2,
    rowsScanned: 7,
    isOrdered: true,
    milliseconds: { plan: 1, read: 2, execute: 3 },
  };
  answers.keep("reported", { ...answer(1), report });
  const kept = answers.find("reported");
  expect(kept?.report).toMatchObject({ release: "2026-01-01.0", rowsScanned: 7, isOrdered: true });
  expect(kept?.report?.files.map(({ from }) => from)).toEqual(["memory"]);
  expect([kept?.milliseconds, kept?.report?.milliseconds]).toEqual([0, { plan: 0, read: 0, execute: 0 }]);
});
