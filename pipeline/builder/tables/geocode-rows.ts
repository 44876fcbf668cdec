/**
 * Finds the coordinates of rows without coordinates by their addresses.
 * @module
 */
import type { Geometry } from "../../../data/format/geometry.ts";
import type { Attribution } from "../../../data/format/manifest.ts";
import type { Role } from "../../../data/format/own-schema.ts";
import { rolesByName } from "../../../data/tables/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { AskedRoles } from "./describe-columns.ts";
import { isReject, type RowSource, type SourceReject, type SourceRow } from "./row-source.ts";

/** The parts of a row's address; an empty text for a part that it does not have. */
export interface AddressQuery {
  /** Street and number, or the whole address. */
  readonly address: string;
  readonly street: string;
  readonly housenumber: string;
  readonly postcode: string;
  readonly city: string;
  readonly region: string;
}

/** How exactly an address was found: its house, its street, or only its town. */
const MATCHES = ["house", "street", "town"] as const;

/** The position of an address in degrees, and what was found: the house, the street or the town. */
export interface AddressMatch {
  readonly match: (typeof MATCHES)[number];
  readonly lon: number;
  readonly lat: number;
}

export interface AddressFault {
  /** Why there is no match. */
  readonly fault: string;
}

/** Finds addresses in a dataset. The same release gives the same answers. */
export interface Geocode {
  /** Names the dataset and its release. */
  readonly version: string;
  /** Whom to credit for the coordinates. */
  readonly attribution: readonly Attribution[];
  find(query: AddressQuery): Promise<AddressMatch | AddressFault>;
}

/** The column that says how each row was found; `file` for coordinates that the row had. */
const MATCH_COLUMN = "geocoded";

interface Located {
  readonly source: RowSource;
  readonly version: string;
  /** Number of rows by match, after all rows have been read. */
  counts(): Readonly<Record<string, number>>;
}

interface GeocodeOptions {
  readonly geocode: Geocode;
  readonly roles: AskedRoles;
}

/**
 * Returns the source with coordinates found by its addresses, and a column with the kind of match. Rows whose address
 * is not found become rejects. Throws for a table without a column of addresses.
 */
export async function geocodedRows(source: RowSource, { geocode, roles }: GeocodeOptions): Promise<Located> {
  const names = source.columns.map(({ name }) => name);
  const byRole = new Map<string, number>();
  for (const [name, role] of source.roles ?? rolesByName(names)) byRole.set(role, names.indexOf(name));
  for (const [role, name] of Object.entries(roles)) if (name !== undefined) byRole.set(role, names.indexOf(name));
  if (!["address", "street", "city", "postcode"].some((role) => byRole.has(role)))
    throw new CodedError(
      "CAIRN_E_SOURCE",
      `no column with addresses among ${names.join(", ")}: name one with --role address=<column>, --role street=<column> or --role city=<column>`,
    );
  const queryOf = ({ values }: SourceRow): AddressQuery => {
    const part = (role: Role): string => {
      const value = values[byRole.get(role) ?? -1];
      return value === null || value === undefined ? "" : String(value).trim();
    };
    return {
      address: part("address"),
      street: part("street"),
      housenumber: part("housenumber"),
      postcode: part("postcode"),
      city: part("city"),
      region: part("region"),
    };
  };
  // Rows are read twice, and shops share addresses.
  const known = new Map<string, AddressMatch | AddressFault>();
  const find = async (query: AddressQuery) => {
    const key = JSON.stringify(query);
    const found = known.get(key) ?? (await geocode.find(query));
    known.set(key, found);
    return found;
  };
  let counts: Record<string, number> = {};
  const count = (match: string): void => {
    counts[match] = (counts[match] ?? 0) + 1;
  };
  const column = names.includes(MATCH_COLUMN) ? `${MATCH_COLUMN}_as` : MATCH_COLUMN;
  async function* rows(): AsyncGenerator<SourceRow | SourceReject> {
    counts = {};
    for await (const row of source.rows()) {
      if (isReject(row)) {
        yield row;
        continue;
      }
      if (row.geometry) {
        count("file");
        yield { ...row, values: [...row.values, "file"] };
        continue;
      }
      const query = queryOf(row);
      const found = await find(query);
      if ("fault" in found) {
        count("none");
        const text = Object.values(query)
          .filter((part) => part !== "")
          .join(", ");
        yield { line: row.line, id: row.id, reason: "address not found", detail: `${found.fault}: ${text || "empty"}` };
        continue;
      }
      count(found.match);
      const geometry: Geometry = { type: "Point", coordinates: [found.lon, found.lat] };
      yield { ...row, geometry, values: [...row.values, found.match] };
    }
  }
  const from = ["address", "street", "housenumber", "postcode", "city", "region"].flatMap((role) => {
    const name = names[byRole.get(role) ?? -1];
    return name === undefined ? [] : [name];
  });
  return {
    source: {
      ...source,
      attribution: [...source.attribution, ...geocode.attribution],
      columns: [...source.columns, { name: column, type: "text" }],
      geometryFrom: [...source.geometryFrom, ...from],
      rows,
    },
    version: geocode.version,
    counts: () => counts,
  };
}
