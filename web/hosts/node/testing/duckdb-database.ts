import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  VARCHAR,
} from "@duckdb/node-api";
import {
  Bool,
  type DataType,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Table,
  Type,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { quoteIdentifier } from "../../../../data/format/sql.ts";
import { type Database, EngineError, QueryError, type SqlValue } from "../../../engine/index.ts";

/** No network, extensions or files: rows come from the engine. The lock must be the last setting. */
const LOCKED_SETTINGS = [
  // for ids of the partitions in memory; DuckDB's default is four fifths of the machine
  "memory_limit = '512MB'",
  "autoinstall_known_extensions = false",
  "autoload_known_extensions = false",
  "enable_external_access = false",
  "lock_configuration = true",
];

const CHUNK_ROWS = 2048;

/** Starts a database in memory. Columns may be text, lists of text, 32-bit integers, doubles and booleans. */
export async function createDuckdb(): Promise<Database> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const setting of LOCKED_SETTINGS) await connection.run(`SET ${setting}`);

  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(sql: string, work: () => Promise<T>): Promise<T> {
    const result = last.then(work).catch((cause: unknown) => {
      throw new QueryError(cause instanceof Error ? cause.message : String(cause), { sql, cause });
    });
    last = result.catch(() => {});
    return result;
  }

  return {
    insert: (name, table) => inTurn(`INSERT INTO ${name}`, () => insertTable(connection, name, table)),
    drop(name) {
      const sql = `DROP TABLE ${quoteIdentifier(name)}`;
      return inTurn(sql, async () => {
        await connection.run(sql);
      });
    },
    query: (sql, values = []) => inTurn(sql, () => queryTable(connection, sql, values)),
  };
}

async function insertTable(connection: DuckDBConnection, name: string, table: Table): Promise<void> {
  const types = table.schema.fields.map(({ type }) => toDuckdbType(type));
  const columns = table.schema.fields.map((field, index) => `${quoteIdentifier(field.name)} ${types[index]}`);
  await connection.run(`CREATE TABLE ${quoteIdentifier(name)} (${columns.join(", ")})`);
  const appender = await connection.createAppender(name);
  try {
    for (let start = 0; start < table.numRows; start += CHUNK_ROWS) {
      const slice = table.slice(start, Math.min(start + CHUNK_ROWS, table.numRows));
      const chunk = DuckDBDataChunk.create(types, slice.numRows);
      chunk.setColumns(slice.schema.fields.map((_, index) => valuesOf(slice, index)));
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

function valuesOf(table: Table, index: number): DuckDBValue[] {
  return Array.from(table.getChildAt(index) ?? [], (value: unknown) => parseValue(value));
}

function parseValue(value: unknown): DuckDBValue {
  return value instanceof Vector ? listValue(Array.from(value as Iterable<DuckDBValue>)) : (value as DuckDBValue);
}

async function queryTable(connection: DuckDBConnection, sql: string, values: readonly SqlValue[]): Promise<Table> {
  const result = await connection.runAndReadAll(sql, [...values]);
  const columns = result.getColumnsJS();
  const types = result.columnTypes();
  return new Table(
    Object.fromEntries(
      result.deduplicatedColumnNames().map((name, index) => {
        const type = types[index];
        if (!type) throw new EngineError(`column ${name} has no type`);
        return [name, vectorFromArray(columns[index] ?? [], toArrowType(type))];
      }),
    ),
  );
}

function toDuckdbType(type: DataType): DuckDBType {
  switch (type.typeId) {
    case Type.Utf8:
      return VARCHAR;
    case Type.Bool:
      return BOOLEAN;
    case Type.Int:
      return (type as Int32 | Int64).bitWidth === 64 ? BIGINT : INTEGER;
    case Type.Float:
      return DOUBLE;
    case Type.List:
      return LIST(toDuckdbType((type as List).valueType));
    default:
      throw new EngineError(`column of Arrow type ${type}, expected text, number, boolean or list`);
  }
}

function toArrowType(type: DuckDBType): DataType {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return new Utf8();
    case DuckDBTypeId.BOOLEAN:
      return new Bool();
    case DuckDBTypeId.INTEGER:
      return new Int32();
    case DuckDBTypeId.BIGINT:
      return new Int64();
    case DuckDBTypeId.DOUBLE:
      return new Float64();
    case DuckDBTypeId.LIST:
      return new List(new Field("item", toArrowType(type.valueType), true));
    default:
      throw new EngineError(`column of type ${type}, expected VARCHAR, BOOLEAN, INTEGER, BIGINT, DOUBLE or a list`);
  }
}
