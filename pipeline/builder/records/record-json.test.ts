import fc from "fast-check";
import { expect, test } from "vitest";
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { openDatabase } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { parseRow, recordJson, rowJsonSql } from "./record-json.ts";

const newFolder = temporaryFolders();

test("a row's columns are JSON as JavaScript writes it, for all numbers", async () => {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  const values: Readonly<Record<string, string>> = {
    id: "'a'",
    version: "3",
    sources: `[{'dataset': 'NaN "-Infinity" \\', 'confidence': 'nan'::DOUBLE, 'between': ['inf'::DOUBLE, 0.5, '-inf'::DOUBLE]}]`,
    height: "-0.0::DOUBLE",
    min_height: "1e21::DOUBLE",
    roof_height: "5.0::DOUBLE",
    names: `{'primary': NULL, 'common': MAP {'__proto__': 'x', 'en': 'y', 'de': NULL}, 'rules': NULL}`,
  };
  const columns = COLLECTIONS.building.columns.map(({ name }) => `${values[name] ?? "NULL"} AS "${name}"`);
  const [row] = await database.rows<{ json: string }>(
    `SELECT ${rowJsonSql(COLLECTIONS.building)} AS json FROM (SELECT ${columns.join(", ")})`,
  );
  database.close();
  expect(JSON.stringify(parseRow(row?.json ?? ""))).toBe(
    '{"id":"a","version":3,"sources":[{"dataset":"NaN \\"-Infinity\\" \\\\","confidence":null,"between":[null,0.5,null]}],' +
      '"names":{"common":{"__proto__":"x","en":"y"}},"height":0,"min_height":1e+21,"roof_height":5}',
  );
});

const utf8 = (text: string): Uint8Array => Buffer.from(text);
const parsed = (text: string): string => JSON.stringify(parseRow(text));

const texts = fc.string({ unit: "binary", maxLength: 12 });
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.integer(), texts) },
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(texts, fc.constantFrom("null", "1", "__proto__", "a,b", '":null')), tie("value"), {
      maxKeys: 5,
    }),
  ),
}));

test("null members are removed from text as from parsed rows", () => {
  fc.assert(
    fc.property(fc.dictionary(texts, values, { maxKeys: 8 }), (row) => {
      const text = JSON.stringify(row);
      expect(Buffer.from(recordJson(utf8(text))).toString()).toBe(parsed(text));
    }),
    { numRuns: 3000 },
  );
});

test("numbers and texts of DuckDB are written as JavaScript writes them", async () => {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  // all exponents, short and long fractions, whole numbers, and each character that JSON escapes
  const numbers = `
    SELECT (hash(i) % 1000000) / 1000.0 * pow(10, i % 40 - 20) * (CASE WHEN i % 3 = 0 THEN -1 ELSE 1 END) AS a,
      round(random_like * 1000, (i % 8)::INTEGER) AS b, random_like::FLOAT AS c, (hash(i) >> (i % 64))::UBIGINT AS d,
      (i - 5000)::DOUBLE AS e, (i / 7)::DECIMAL(18, 5) AS f, chr((i % 200 + 1)::INTEGER) || 'x' AS g, NULL AS h
    FROM (SELECT i, (hash(i + 1) % 1000000007) / 1000000007.0 AS random_like FROM range(10000) t(i))`;
  let [rows, differing] = [0, 0];
  for await (const [read = []] of database.stream(`SELECT to_json(n)::VARCHAR FROM (${numbers}) n`)) {
    for (const text of read) {
      rows++;
      if (Buffer.from(recordJson(utf8(String(text)))).toString() !== parsed(String(text))) differing++;
    }
  }
  database.close();
  expect({ rows, differing }).toEqual({ rows: 10000, differing: 0 });
});

test("text without rare numbers and escapes is copied, not parsed", () => {
  const text = '{"a":0.7716,"b":null,"c":["x",null,{"d":null,"e":-5.0}],"f":null}';
  const { parse } = JSON;
  JSON.parse = () => {
    throw new Error("parsed");
  };
  try {
    expect(Buffer.from(recordJson(utf8(text))).toString()).toBe('{"a":0.7716,"c":["x",null,{"e":-5}]}');
  } finally {
    JSON.parse = parse;
  }
});
