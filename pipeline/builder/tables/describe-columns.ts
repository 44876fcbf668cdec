/**
 * Finds the schema of a table: which columns have which role, type and filter.
 * @module
 */
import { storedNames } from "../../../data/format/own-collections.ts";
import { type OwnColumn, type OwnSchema, type OwnType, ROLES, type Role } from "../../../data/format/own-schema.ts";
import { idRank, isLikeNames, rolesByName, SAMPLED_ROWS, type TableColumn } from "../../../data/tables/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { RowSource } from "./row-source.ts";

/** Name of the column for each role that a user chose. */
export type AskedRoles = Readonly<Partial<Record<Role | "id", string>>>;

/** A column of the collection, and what people are told about it. */
export interface DescribedColumn extends OwnColumn {
  /** Name of the column in the table. */
  readonly column: string;
  /** Kind of the column's filter, for people: `yes/no`, `range`, `values` or `words`. */
  readonly filter: string;
}

/** How a table becomes a collection: its schema, and where ids come from. */
export interface Described {
  readonly schema: OwnSchema;
  readonly idColumn: string | undefined;
  readonly idIndex: number;
  /** Indices of the columns from which ids are computed if there is no id column. */
  readonly identity: readonly number[];
  readonly columns: readonly DescribedColumn[];
}

const MOST_DIFFERENT = 200;
const FEW_DIFFERENT = 20;
const LONGEST_VALUE = 60;

/** What is known of a column's values when all rows have been read. */
class ColumnFacts {
  private readonly sampled: string[] = [];
  private readonly unique: Set<string> | undefined;
  /** Undefined when there are more than a list can show, or one that a list of values cannot have. */
  private different: Set<string> | undefined = new Set();
  private rows = 0;
  private values = 0;
  /** True as long as all numbers fit in 32-bit integers. */
  private isSmall = true;

  constructor({ mayBeId }: { readonly mayBeId: boolean }) {
    this.unique = mayBeId ? new Set() : undefined;
  }

  add(value: unknown): void {
    this.rows++;
    if (this.rows <= SAMPLED_ROWS && typeof value === "string") this.sampled.push(value);
    if (this.unique && value !== null && value !== "") this.unique.add(String(value));
    if (typeof value === "number" && Math.abs(value) >= 2 ** 31) this.isSmall = false;
    for (const one of Array.isArray(value) ? value : [value]) if (one !== null && one !== "") this.addPart(String(one));
  }

  private addPart(value: string): void {
    this.values++;
    if (!this.different) return;
    this.different.add(value);
    // a list of values is separated by commas
    const isListed = value.length <= LONGEST_VALUE && !value.includes(",") && value === value.trim();
    if (!isListed || this.different.size > MOST_DIFFERENT) this.different = undefined;
  }

  /** True if each row has a different value. */
  get isUnique(): boolean {
    return this.rows > 0 && this.unique?.size === this.rows;
  }

  get isLikeNames(): boolean {
    return isLikeNames(this.sampled, Math.min(this.rows, SAMPLED_ROWS));
  }

  /** Postcodes of digits are text. Integers beyond 32 bits are stored as numbers. */
  typeFor(type: OwnType, role: Role | undefined): OwnType {
    const isNumber = type === "integer" || type === "number";
    if (isNumber && role && !NUMBER_ROLES.has(role)) return "text";
    return type === "integer" && !this.isSmall ? "number" : type;
  }

  /** True if the column has few different values: a page lists them with counts, and the index has a term for each. */
  isAsked(type: OwnType): boolean {
    if (type === "boolean") return true;
    if (type !== "text" && type !== "list") return false;
    const size = this.different?.size ?? 0;
    if (size === 0) return false;
    return size <= FEW_DIFFERENT ? this.values > size : this.values >= 4 * size;
  }
}

/** Roles whose values are numbers. */
const NUMBER_ROLES: ReadonlySet<Role> = new Set(["price", "date"]);

const IDENTITY: ReadonlySet<Role> = new Set(["name", "address", "street", "housenumber", "postcode", "city"]);

/**
 * Reads all rows, and returns what their columns mean. `originOf` says where a user chose a role, for messages. Throws
 * for an unknown role or column, and for an id column with empty or repeated values.
 */
export async function describeColumns(
  source: RowSource,
  asked: AskedRoles,
  originOf: OriginOf = (role, column) => `--role ${role}=${column}`,
): Promise<Described> {
  const names = source.columns.map(({ name }) => name);
  refuseUnknown(names, asked, originOf);
  const roles = rolesFor(names, source.roles ?? rolesByName(names), asked);
  const isCandidate = (name: string) => source.idName === undefined && idRank(name) >= 0 && !roles.has(name);
  const facts = names.map((name) => new ColumnFacts({ mayBeId: name === asked.id || isCandidate(name) }));
  for await (const row of source.rows())
    if (!("reason" in row)) for (const [index, one] of facts.entries()) one.add(row.values[index] ?? null);
  const idIndex =
    asked.id === undefined
      ? names.indexOf(
          names
            .filter((name, index) => isCandidate(name) && facts[index]?.isUnique)
            .sort((a, b) => idRank(a) - idRank(b))[0] ?? "",
        )
      : names.indexOf(asked.id);
  if (asked.id !== undefined && !facts[idIndex]?.isUnique)
    throw new CodedError(
      "CAIRN_E_SOURCE",
      `${originOf("id", asked.id)}: the column has empty or repeated values, expected a different value in each row`,
    );
  const known = new Set(roles.values());
  const isNamed = known.has("name");
  const mayBeName = ({ name, type }: TableColumn, index: number): boolean =>
    type === "text" && index !== idIndex && !roles.has(name) && facts[index]?.isLikeNames === true;
  const guessed = source.roles || isNamed || known.has("names") ? -1 : source.columns.findIndex(mayBeName);
  const stored = storedNames(names);
  const columns = source.columns.map((column, index) =>
    describeColumn(column, {
      stored: stored[index] ?? "",
      role: index === guessed ? "name" : roles.get(column.name),
      facts: facts[index],
      isId: index === idIndex,
    }),
  );
  const identifying = columns.flatMap(({ role }, index) => (role && IDENTITY.has(role) ? [index] : []));
  return {
    schema: { columns: columns.map(({ column: _, filter: __, ...column }) => column) },
    idColumn: names[idIndex] ?? source.idName,
    idIndex,
    // A name that is only guessed does not identify a row.
    identity: isNamed ? identifying : columns.map((_, index) => index),
    columns,
  };
}

/** Where a role was asked for, for messages. */
type OriginOf = (role: string, column: string) => string;

function refuseUnknown(names: readonly string[], asked: AskedRoles, originOf: OriginOf): void {
  for (const [role, column] of Object.entries(asked)) {
    if (role !== "id" && !ROLES.some((known) => known === role))
      throw new CodedError(
        "CAIRN_E_SOURCE",
        `${originOf(role, column)}: no role ${role}; the roles are id, ${ROLES.join(", ")}`,
      );
    if (column !== undefined && !names.includes(column))
      throw new CodedError(
        "CAIRN_E_SOURCE",
        `${originOf(role, column)}: the table has no column ${column}; it has ${names.join(", ")}`,
      );
  }
}

function rolesFor(
  names: readonly string[],
  known: ReadonlyMap<string, Role>,
  asked: AskedRoles,
): ReadonlyMap<string, Role> {
  const roles = new Map([...known].filter(([name]) => names.includes(name)));
  for (const [role, column] of Object.entries(asked)) {
    if (role === "id" || column === undefined) continue;
    for (const [other, one] of roles) if (one === role) roles.delete(other);
    roles.set(column, role as Role);
  }
  return roles;
}

interface OneColumn {
  readonly stored: string;
  readonly role: Role | undefined;
  readonly facts: ColumnFacts | undefined;
  readonly isId: boolean;
}

function describeColumn({ name, type }: TableColumn, { stored, role, facts, isId }: OneColumn): DescribedColumn {
  const ownType = facts?.typeFor(type, role) ?? type;
  const hasTerms = !isId && facts?.isAsked(ownType);
  const column: OwnColumn = {
    name: stored,
    type: ownType,
    ...(role ? { role } : {}),
    ...(hasTerms ? { hasTerms } : {}),
  };
  return { ...column, column: name, filter: filterOf(column) };
}

function filterOf({ type, hasTerms }: OwnColumn): string {
  if (type === "boolean") return "yes/no";
  if (type === "integer" || type === "number" || type === "date" || type === "date-time") return "range";
  return hasTerms ? "values" : "words";
}
