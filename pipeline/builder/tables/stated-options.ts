/**
 * Reads the file `cairn.json` next to a table, which has options of the command line for the table.
 * @module
 */
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { ROLES, type Role } from "../../../data/format/own-schema.ts";
import { TABLE_FILE } from "../../../data/tables/index.ts";
import { parseJson, readOptional } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { TableOptions } from "./table-options.ts";

/** A file of settings is small. */
const MAX_CHARS = 100_000;

type RoleName = Role | "id";
const ROLE_NAMES = ["id", ...ROLES] as const;

const text = z.string().min(1);
const stated = {
  name: text.optional(),
  lat: text.optional(),
  lng: text.optional(),
  geometry: text.optional(),
  crs: text.optional(),
  roles: z.partialRecord(z.enum(ROLE_NAMES), text).optional(),
};
const fileSchema = z.strictObject({
  ...stated,
  files: z.record(text, z.strictObject(stated)).optional(),
});

/** Options for one table, and the path of the `cairn.json` that has some of them. */
interface StatedOptions {
  readonly options: TableOptions;
  readonly from: string | undefined;
}

/**
 * Returns the options of `cairn.json` in the table's folder joined with `given`, which take precedence. `from` is
 * undefined if there is no such file. Throws an error that lists what is wrong in the file.
 */
export async function statedOptions(file: string, given: TableOptions): Promise<StatedOptions> {
  const path = join(dirname(file), TABLE_FILE);
  const content = /^[a-z][a-z0-9+.-]+:/i.test(file) ? undefined : await readOptional(path);
  if (content === undefined) return { options: given, from: undefined };
  const { files, ...common } = parseFile(path, content);
  const own = joined(common, files?.[basename(file)] ?? {});
  const options = joined(own, given);
  return {
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    from: path,
  };
}

type Loose = { readonly [K in keyof TableOptions]?: TableOptions[K] | undefined };

/** Options that replace others, each role by itself. Columns of coordinates replace those of the other kind, too. */
function joined(before: Loose, after: Loose): Loose {
  const { lat, lng, geometry, ...others } = before;
  const hasPlace = after.lat !== undefined || after.lng !== undefined || after.geometry !== undefined;
  const roles = { ...before.roles, ...after.roles };
  return {
    ...(hasPlace ? others : before),
    ...after,
    ...(Object.keys(roles).length > 0 ? { roles } : {}),
  };
}

/** Returns a text that says where the column of a role was chosen: as an option, or in the file `from`. */
export function roleOrigin(role: string, column: string, given: TableOptions, from: string | undefined): string {
  return given.roles?.[role as RoleName] === column || from === undefined
    ? `--role ${role}=${column}`
    : `${from}: roles.${role} is ${JSON.stringify(column)}`;
}

function parseFile(path: string, content: string): z.infer<typeof fileSchema> {
  if (content.length > MAX_CHARS)
    throw new CodedError("CAIRN_E_SOURCE", `${path}: ${content.length} characters, expected at most ${MAX_CHARS}`);
  const result = fileSchema.safeParse(parseJson(path, content.replace(/^\ufeff/, "")));
  if (!result.success)
    throw new CodedError("CAIRN_E_SOURCE", `${path}: ${result.error.issues.map(faultOf).join("; ")}`);
  const { data } = result;
  for (const [where, one] of [["", data], ...Object.entries(data.files ?? {})] as const) {
    const at = where === "" ? "" : `files.${where}: `;
    if (one.geometry !== undefined && (one.lat !== undefined || one.lng !== undefined))
      throw new CodedError("CAIRN_E_SOURCE", `${path}: ${at}expected geometry, or lat and lng, got both`);
    if ((one.lat === undefined) !== (one.lng === undefined))
      throw new CodedError(
        "CAIRN_E_SOURCE",
        `${path}: ${at}expected lat and lng, got only ${one.lat === undefined ? "lng" : "lat"}`,
      );
  }
  return data;
}

function faultOf({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  const where = path.join(".") || "the whole";
  if (code === "unrecognized_keys" && "keys" in issue) {
    const members =
      path.length === 0
        ? [...Object.keys(stated), "files"]
        : path.at(-1) === "roles"
          ? ROLE_NAMES
          : Object.keys(stated);
    return `${where}: unknown ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}, expected ${members.join(", ")}`;
  }
  if (code === "invalid_key") return `${where}: unknown role, expected one of ${ROLE_NAMES.join(", ")}`;
  return `${where}: ${message}`;
}
