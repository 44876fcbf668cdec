import { expect, test } from "vitest";
import { createLeftLists } from "./left-lists.ts";

interface List {
  readonly records: readonly number[];
  readonly open?: boolean;
}

const listOf = (length: number): List => ({ records: Array.from({ length }, (_, index) => index) });

test("the last eight lists stay, and the one that was left first is dropped", () => {
  const lists = createLeftLists<List>();
  for (let i = 0; i < 8; i++) lists.put(`question ${i}`, listOf(25));
  lists.put("question 0", listOf(50));
  lists.put("question 8", listOf(25));
  expect(lists.get("question 0")?.records).toHaveLength(50);
  expect(lists.get("question 1")).toBeUndefined();
  expect(lists.get("question 2")?.records).toHaveLength(25);
});

test("all lists together have at most 5,000 records", () => {
  const lists = createLeftLists<List>();
  lists.put("a", listOf(3000));
  lists.put("b", listOf(2000));
  expect(lists.get("a")).toBeDefined();
  lists.put("c", listOf(1));
  expect([lists.get("a"), lists.get("b")?.records.length, lists.get("c")?.records.length]).toEqual([
    undefined,
    2000,
    1,
  ]);
});

test("lists of open records, and lists of an older release are not remembered", () => {
  const lists = createLeftLists<List>();
  lists.put("now", listOf(25));
  lists.put("now", { ...listOf(20), open: true });
  expect(lists.get("now")).toBeUndefined();
  lists.put("here", listOf(25));
  lists.clear();
  expect(lists.get("here")).toBeUndefined();
});
