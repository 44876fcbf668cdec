/**
 * Tests that every adapter of the database interface must pass.
 * @module
 */
import { Bool, Field, Float64, Int32, List, Table, Utf8, vectorFromArray } from "apache-arrow";
import { beforeAll, describe, expect, test } from "vitest";
import { QueryError } from "./contract/errors.ts";
import type { Database } from "./contract/ports.ts";

const TEXTS = ["a", null, "", "~", "é", "\u{1f5fa}", "\uff5e", "it's"];

function table(rows = TEXTS.length): Table {
  const ofRow = <T>(value: (row: number) => T): T[] => Array.from({ length: rows }, (_, row) => value(row));
  return new Table({
    row: vectorFromArray(
      ofRow((row) => row),
      new Int32(),
    ),
    text: vectorFromArray(
      ofRow((row) => TEXTS[row % TEXTS.length] ?? null),
      new Utf8(),
    ),
    number: vectorFromArray(
      ofRow((row) => (row === 1 ? null : row / 3)),
      new Float64(),
    ),
    flag: vectorFromArray(
      ofRow((row) => row % 2 === 0),
      new Bool(),
    ),
    words: vectorFromArray(
      ofRow((row) => (row === 2 ? null : ["x", `y${row}`])),
      new List(new Field("item", new Utf8(), true)),
    ),
  });
}

async function column(
  database: Database,
  sql: string,
  ...values: (string | number | boolean | null)[]
): Promise<unknown[]> {
  const result = await database.query(sql, values);
  return Array.from(result.getChildAt(0) ?? [], (value: unknown) =>
    typeof value === "bigint" ? Number(value) : value,
  );
}

/** Tests an adapter of the database interface. */
export function describeDatabase(name: string, create: () => Promise<Database>): void {
  describe(`${name} as database`, () => {
    let database: Database;
    beforeAll(async () => {
      database = await create();
    });

    test("a table holds the values it was made from", async () => {
      await database.insert("values", table());
      expect(await column(database, 'SELECT "text" FROM "values" ORDER BY "row"')).toEqual(TEXTS);
      expect(await column(database, 'SELECT number FROM "values" ORDER BY "row" LIMIT 3')).toEqual([0, null, 2 / 3]);
      expect(await column(database, 'SELECT flag FROM "values" ORDER BY "row" LIMIT 2')).toEqual([true, false]);
      expect(
        await column(database, 'SELECT array_to_string(words, \',\') FROM "values" ORDER BY "row" LIMIT 3'),
      ).toEqual(["x,y0", "x,y1", null]);
      await database.drop("values");
      await expect(database.query('SELECT * FROM "values"')).rejects.toThrow(QueryError);
    });

    test("text is ordered by its UTF-8 bytes", async () => {
      await database.insert("order", table());
      const ordered = await column(database, 'SELECT "text" FROM "order" WHERE "text" IS NOT NULL ORDER BY "text"');
      expect(ordered).toEqual(["", "a", "it's", "~", "é", "\uff5e", "\u{1f5fa}"]);
      await database.drop("order");
    });

    test("values bind to question marks, and are never SQL", async () => {
      await database.insert("bound", table());
      expect(await column(database, 'SELECT "row" FROM bound WHERE "text" = ?', "it's")).toEqual([7]);
      expect(await column(database, 'SELECT "row" FROM bound WHERE number > ? ORDER BY "row" LIMIT ?', 1, 2)).toEqual([
        4, 5,
      ]);
      expect(await column(database, "SELECT count(*) FROM bound WHERE flag = ?", true)).toEqual([4]);
      await database.drop("bound");
    });

    test("tables and answers may have many thousand rows", async () => {
      await database.insert("many", table(50_001));
      const rows = await column(database, 'SELECT "row" FROM many ORDER BY "row" DESC');
      expect([rows.length, rows[0], rows.at(-1)]).toEqual([50_001, 50_000, 0]);
      await database.drop("many");
    });

    test("names are quoted", async () => {
      await database.insert('odd "name"', table());
      expect(await column(database, 'SELECT count(*) FROM "odd ""name"""')).toEqual([TEXTS.length]);
      await database.drop('odd "name"');
    });

    test("a refused statement is a QueryError with its SQL, and the next one runs", async () => {
      const refused = database.query("SELECT nothing FROM nowhere");
      await expect(refused).rejects.toThrow(
        expect.objectContaining({ name: "QueryError", sql: "SELECT nothing FROM nowhere" }),
      );
      expect(await column(database, "SELECT 1")).toEqual([1]);
    });

    test("statements started together run one after the other", async () => {
      const [, counted] = await Promise.all([
        database.insert("turn", table()),
        column(database, "SELECT count(*) FROM turn"),
        database.drop("turn"),
      ]);
      expect(counted).toEqual([TEXTS.length]);
    });

    test.each([
      "SELECT * FROM 'https://example.com/a.parquet'",
      "SELECT * FROM read_csv('/etc/passwd')",
      "COPY (SELECT 1) TO '/tmp/cairn-leak.csv'",
      "LOAD spatial",
      "ATTACH '/tmp/cairn-leak.db'",
      "SET enable_external_access = true",
      "SET autoload_known_extensions = true",
    ])("nothing outside is reached: %s", async (sql) => {
      await expect(database.query(sql)).rejects.toThrow(QueryError);
    });
  });
}
