/**
 * An executor that orders rows in a database.
 * @module
 */
import { makeVector, Table } from "apache-arrow";
import { quoteIdentifier } from "../../../data/format/sql.ts";
import type { Database } from "../contract/ports.ts";
import type { Executor, Measured, MeasuredRow } from "./executor.ts";

/** Creates an executor over the database. Distances are a table for the duration of the search. */
export function createSqlExecutor(database: Database): Executor {
  let searches = 0;
  return {
    name: "sql",
    async order({ lists }, { start, end }, signal) {
      const name = `distances_${++searches}`;
      const table = quoteIdentifier(name);
      const sql: string[] = [];
      const query = (text: string, values: readonly number[]): Promise<Table> => {
        signal?.throwIfAborted();
        sql.push(text);
        return database.query(text, values);
      };
      await database.insert(name, distanceTable(lists));
      try {
        const page = `(SELECT distance FROM ${table} ORDER BY distance LIMIT ? OFFSET ?)`;
        const rows = await query(
          `SELECT list, "row", distance, (SELECT count(*) FROM ${table} WHERE distance < (SELECT min(distance) FROM ${page})) AS start
           FROM ${table}
           WHERE distance BETWEEN (SELECT min(distance) FROM ${page}) AND (SELECT max(distance) FROM ${page})
           ORDER BY distance`,
          [end - start, start, end - start, start, end - start, start],
        );
        return { rows: rowsOf(rows), start: Number(rows.getChild("start")?.get(0) ?? 0), sql };
      } finally {
        await database.drop(name);
      }
    },
  };
}

function distanceTable(lists: readonly Measured[]): Table {
  const [list, row, distance]: [number[], number[], number[]] = [[], [], []];
  for (const [index, { distances }] of lists.entries()) {
    distances.forEach((meters, place) => {
      if (meters === Number.POSITIVE_INFINITY) return;
      list.push(index);
      row.push(place);
      distance.push(meters);
    });
  }
  return new Table({
    list: makeVector(Int32Array.from(list)),
    row: makeVector(Int32Array.from(row)),
    distance: makeVector(Float64Array.from(distance)),
  });
}

function rowsOf(table: Table): MeasuredRow[] {
  // a database may return any number of batches
  const [list, row, distance] = ["list", "row", "distance"].map((name): ArrayLike<number> => {
    return table.getChild(name)?.toArray() ?? [];
  });
  return Array.from({ length: table.numRows }, (_, index) => ({
    list: Number(list?.[index]),
    row: Number(row?.[index]),
    distanceMeters: Number(distance?.[index]),
  }));
}
