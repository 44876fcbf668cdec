import { expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { createLedger } from "./ledger.ts";
import { verifyShorterBeginnings } from "./term-completeness.ts";

const newFolder = temporaryFolders();

const ROWS = ["name:aab", "name:aac", "name:aac"];

test.each([
  ["one that stands for shorter ones with the same rows", ["prefix:aa"], []],
  ["a shorter one with more rows, stored", ["prefix:aa", "prefix:aac"], []],
  [
    "a shorter one with more rows, not stored",
    ["prefix:aac"],
    ["place: 2 beginnings have other rows than what stands for them, such as a of AD"],
  ],
  ["none", [], []],
])("%s", async (_, stored, faults) => {
  const database = await openDatabase({ folder: await newFolder() });
  const names = ROWS.map((term, id) => ({ term, id }));
  const beginnings = stored.flatMap((term) =>
    names.filter((row) => row.term.startsWith(term.replace("prefix", "name"))).map(({ id }) => ({ term, id })),
  );
  const values = [...names, ...beginnings].map(({ term, id }) => `('AD', '${id}', '${term}')`);
  await database.run(`CREATE TABLE told AS FROM (VALUES ${values.join(", ")}) told(country, id, term)`);
  const ledger = createLedger();
  await verifyShorterBeginnings(database, { scope: "place", told: "told" }, ledger);
  database.close();
  expect(ledger.lines().flatMap((line) => line.faults)).toEqual(faults);
});
