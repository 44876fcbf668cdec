import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OVERTURE_CATALOG } from "../../../data/format/overture-hosts.ts";
import {
  type Ask,
  chunksOf,
  type Identity,
  identityOf,
  type Mirror,
  MissingFileError,
  mirrorAt,
  PassingFault,
  type Remote,
  type RemoteFile,
  refuseChanged,
} from "../../../data/release/index.ts";
import { exists, makeFolder, parseJson, readRange } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";

/**
 * Returns a reader of local files at `file:` addresses. Reading throws if a file is missing, is too short, or changes
 * after it was opened.
 */
export function diskRemote(): Remote {
  return {
    readJson: async (address) => {
      const path = fileURLToPath(address);
      const text = await readFile(path, "utf8").catch((cause) => {
        throw missing(path, cause);
      });
      return parseJson(path, text);
    },
    open: async (address) => {
      const path = fileURLToPath(address);
      const identify = async (): Promise<{ size: number; version: string }> => {
        const { size, mtimeMs } = await stat(path).catch((cause) => {
          throw missing(path, cause);
        });
        return { size, version: `${size} bytes of ${new Date(mtimeMs).toISOString()}` };
      };
      const { size, version } = await identify();
      const read: RemoteFile["read"] = async (start, end) => {
        const now = await identify();
        if (now.version !== version)
          throw new CodedError(
            "CAIRN_E_OVERTURE",
            `${path}: changed while it was read, from ${version} to ${now.version}`,
          );
        const bytes = await readRange(path, start, end - start);
        if (bytes.length === end - start) return bytes;
        throw new CodedError("CAIRN_E_OVERTURE", `${path}: cut short, ${bytes.length} of ${end - start} bytes`);
      };
      return { address, byteLength: size, version, read };
    },
  };
}

function missing(path: string, cause: NodeJS.ErrnoException): Error {
  return cause.code === "ENOENT" ? new MissingFileError(`${path}: no such file`, { cause }) : cause;
}

/**
 * Returns the mirror of releases that `--from` names: a folder, or an https:, http:, s3: or file: address. The default
 * is Overture's catalogue. `env` has the AWS variables with the endpoint and region for s3:. Throws for another text.
 */
export function parseMirror(from: string | undefined, env: Readonly<Record<string, string | undefined>> = {}): Mirror {
  return mirrorAt(from === undefined ? OVERTURE_CATALOG : addressOf(from, env));
}

function addressOf(from: string, env: Readonly<Record<string, string | undefined>>): string {
  if (/^(https?|file):\/\//i.test(from) && URL.canParse(from)) return from;
  const [, bucket, key] = /^s3:\/\/([^/]+)\/?(.*)$/i.exec(from) ?? [];
  if (bucket !== undefined) return `${endpointOf(bucket, env)}/${key}`;
  if (existsSync(from)) return pathToFileURL(resolve(from)).href;
  throw new CodedError("CAIRN_E_VALUE", `--from ${from}: neither a folder nor an address (https:, http:, s3:, file:)`);
}

/** Returns the address of the bucket by the AWS environment variables. */
function endpointOf(bucket: string, env: Readonly<Record<string, string | undefined>>): string {
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  if (endpoint) return `${endpoint.replace(/\/$/, "")}/${bucket}`;
  return `https://${bucket}.s3.${env.AWS_REGION ?? "us-west-2"}.amazonaws.com`;
}

interface WholeOptions {
  readonly folder: string;
  readonly onNotice: (message: string) => void;
  readonly ask: Ask;
}

/**
 * Downloads a complete file into a folder, for hosts that answer no range requests. Does not download it again if it is
 * there. Returns it opened. Throws if the file on the host changed since `found`.
 */
export async function fetchWhole(found: Identity, { folder, onNotice, ask }: WholeOptions): Promise<RemoteFile> {
  const { address, byteLength, version } = found;
  const name = createHash("sha256").update(`${address}\n${version}\n${byteLength}`).digest("hex").slice(0, 32);
  const path = join(folder, `${name}.parquet`);
  if (!(await exists(path))) {
    onNotice(`${address}: the host answers no Range, so all ${byteLength} bytes are fetched`);
    await makeFolder(folder);
    await ask({ address }, async (response, alive) => {
      refuseChanged(found, identityOf(address, response));
      await writeBody(response, { path: `${path}.tmp`, byteLength, address, alive });
    });
    await rename(`${path}.tmp`, path);
  }
  const file = await diskRemote().open(pathToFileURL(path).href);
  return { address, byteLength, version, read: file.read };
}

interface WriteOptions {
  readonly path: string;
  readonly byteLength: number;
  readonly address: string;
  readonly alive: () => void;
}

async function writeBody(response: Response, { path, byteLength, address, alive }: WriteOptions): Promise<void> {
  const handle = await open(path, "w");
  let length = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      alive();
      if (length + chunk.length > byteLength)
        throw new CodedError("CAIRN_E_OVERTURE", `${address}: more than its ${byteLength} bytes`);
      await handle.write(chunk);
      length += chunk.length;
    }
    if (length < byteLength) throw new PassingFault(`${address}: cut short, ${length} of ${byteLength} bytes`);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
