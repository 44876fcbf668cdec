/**
 * The option `--tables` of a build: which collections have a column table, and which columns.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { defaultTableColumns, tableColumnsOf, tableFacetOf } from "../../../data/format/column-tables.ts";
import { collectionIn, type HasCollections } from "../../../data/format/own-collections.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { ColumnTableChoice } from "../plan/index.ts";

/** A column table to build, as the user asked for it. */
export interface AskedColumnTable {
  readonly collection: CollectionName;
  /** Empty for the default columns. */
  readonly columns: readonly string[];
}

/**
 * Returns what the option `--tables` asks for, such as `place` or `place:names,websites;building`. Throws if the syntax
 * is wrong. `columnTablesOf` checks the names.
 */
export function parseColumnTables(text: string): AskedColumnTable[] {
  return text.split(";").map((part) => {
    const [collection = "", columns, ...rest] = part.split(":").map((piece) => piece.trim());
    if (collection === "" || columns === "" || rest.length > 0)
      throw new CodedError(
        "CAIRN_E_VALUE",
        `--tables ${text}: expected collections with columns, such as place:names,addresses;building`,
      );
    return {
      collection,
      columns: (columns?.split(",") ?? []).map((name) => name.trim()).filter((name) => name !== ""),
    };
  });
}

/**
 * Returns the facet and the columns of each column table, by collection. `built` has the collections of the build.
 * Throws if a collection or a column is unknown, if a collection is named twice, or if it cannot have a table.
 */
export function columnTablesOf(
  asked: readonly AskedColumnTable[],
  { built, ...known }: HasCollections & { readonly built: ReadonlySet<CollectionName> },
): Map<CollectionName, ColumnTableChoice> {
  const tables = new Map<CollectionName, ColumnTableChoice>();
  for (const { collection, columns } of asked) {
    if (!built.has(collection)) throw fault(`the sources have no ${collection}, only ${[...built].sort().join(", ")}`);
    const schema = collectionIn(known, collection);
    const facet = tableFacetOf(schema);
    if (!facet) throw fault(`${collection} has no category, class or subtype to sort a table by`);
    const possible = tableColumnsOf(schema);
    const unknown = columns.filter((name) => !possible.includes(name));
    if (unknown.length > 0)
      throw fault(`${collection} has no column ${unknown.join(", ")}; expected some of ${possible.join(", ")}`);
    const chosen =
      columns.length === 0 ? defaultTableColumns(schema) : possible.filter((name) => columns.includes(name));
    if (tables.has(collection)) throw fault(`${collection} is named twice`);
    tables.set(collection, { facet, columns: chosen });
  }
  return tables;
}

function fault(message: string): CodedError {
  return new CodedError("CAIRN_E_VALUE", `--tables: ${message}`);
}
