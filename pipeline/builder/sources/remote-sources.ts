import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { type Database, openDatabase, quoteLiteral, quotePath } from "../../base/database/index.ts";
import { CodedError } from "../../base/errors/index.ts";

/** Region of Overture's bucket. */
const USUAL_REGION = "us-west-2";

/** DuckDB's settings from the usual environment variables. */
const S3_SETTINGS = {
  AWS_ACCESS_KEY_ID: "s3_access_key_id",
  AWS_SECRET_ACCESS_KEY: "s3_secret_access_key",
  AWS_SESSION_TOKEN: "s3_session_token",
} as const;

/** Returns whether the path is an address such as `s3://…` or `https://…`. */
export function isAddress(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

/** Returns the path as a SQL literal of exactly one file. In web addresses a question mark is not a pattern. */
export function quoteSource(path: string): string {
  return /^https?:/i.test(path) ? quoteLiteral(path) : quotePath(path);
}

/**
 * Loads DuckDB's extension httpfs if a path is a network address, and sets the region and credentials of S3 from the
 * environment. Throws with advice if httpfs is not available.
 */
export async function reachSources(database: Database, paths: readonly string[]): Promise<void> {
  const address = paths.find((path) => isAddress(path) && !path.startsWith("file:"));
  if (address === undefined) return;
  try {
    await database.run("LOAD httpfs").catch(async () => {
      await database.run("INSTALL httpfs");
      await database.run("LOAD httpfs");
    });
  } catch (cause) {
    const copy = `copy them first: ${copyCommand(address)}`;
    throw new CodedError(
      "CAIRN_E_SOURCE",
      `${address}: DuckDB's httpfs, which reads the network, is not available; ${copy}`,
      { cause },
    );
  }
  await database.run(`SET s3_region = ${quoteLiteral(process.env.AWS_REGION ?? USUAL_REGION)}`);
  for (const [variable, setting] of Object.entries(S3_SETTINGS)) {
    const value = process.env[variable];
    if (value) await database.run(`SET ${setting} = ${quoteLiteral(value)}`);
  }
}

/** Returns a shell command that downloads the address, for messages. */
export function copyCommand(address: string): string {
  return address.startsWith("s3://")
    ? `aws s3 sync --no-sign-request ${rootOf(address)} overture`
    : `curl --create-dirs --output-dir overture -O ${address}`;
}

/** Returns the folders of an address before any pattern. */
export function rootOf(address: string): string {
  return address.replace(/\/?[^/]*[*?[].*$/, "").replace(/\/$/, "");
}

/**
 * Returns the addresses of the Parquet files at the address of a file, a pattern or a folder; empty if there are none.
 * Throws for a pattern or folder at a web address.
 */
export async function filesAt(address: string): Promise<string[]> {
  const pattern = /[*]|\.(?:parquet|geoparquet|gpq)$/i.test(address)
    ? address
    : `${address.replace(/\/$/, "")}/**/*.parquet`;
  if (/^https?:/i.test(address) && /[*]|\/$/.test(pattern))
    throw new CodedError(
      "CAIRN_E_SOURCE",
      `${address}: a web address names one .parquet file; folders and patterns take s3://`,
    );
  if (/^https?:/i.test(address)) return [address];
  const database = await openDatabase({ folder: tmpdir() });
  try {
    await reachSources(database, [address]);
    const files = await database.rows<{ file: string }>(`SELECT file FROM glob(${quoteLiteral(pattern)})`);
    return files.map(({ file }) => file);
  } finally {
    database.close();
  }
}

/**
 * Returns the size of a remote file, and a hash of its address, size and modification time instead of one of its
 * content. Throws if there is no such file.
 */
export async function identifyFile(database: Database, path: string): Promise<{ bytes: number; sha256: string }> {
  const [file] = await database.rows<{ size: number; last_modified: Date | null }>(
    `SELECT size, last_modified FROM read_blob(${quoteSource(path)})`,
  );
  if (!file) throw new CodedError("CAIRN_E_NO_FILE", `${path}: no such file`);
  const { size: bytes, last_modified: time } = file;
  const sha256 = createHash("sha256")
    .update(JSON.stringify([path, bytes, time?.toISOString() ?? null]))
    .digest("hex");
  return { bytes, sha256 };
}
