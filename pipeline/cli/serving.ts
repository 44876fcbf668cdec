import { access, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { ENCODINGS } from "../../web/hosts/node/compression.ts";
import { holdsPage } from "../../web/hosts/node/files.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { parsePublicUrl } from "../../web/hosts/node/public-url.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../web/hosts/node/server.ts";
import { exampleSearch } from "../../web/search/index.ts";
import { CodedError } from "../base/errors/index.ts";
import { endInOrderOnSignal } from "./signals.ts";

/** Throws if the path is not a folder: an error of the system if it does not exist, CAIRN_E_PATH if it is a file. */
export async function requireFolder(path: string): Promise<void> {
  if (!(await stat(path)).isDirectory()) throw new CodedError("CAIRN_E_PATH", `${path}: is a file, expected a folder`);
}

/** Throws if the folder does not exist or has no manifest. Accepts each web address without a request. */
export async function requireDataset(dataset: string): Promise<void> {
  if (/^https?:/.test(dataset)) return;
  await requireFolder(dataset);
  await access(join(dataset, MANIFEST_PATH)).catch(() => {
    throw new CodedError("CAIRN_E_DATA", `${dataset} is not a dataset: it has no ${MANIFEST_PATH}`);
  });
}

/**
 * Starts a server for a dataset, prints its addresses, and returns while it runs. A signal ends the server. Throws if
 * the folder is not a dataset, or if the port cannot be used.
 */
export async function serveDataset(options: ServerOptions): Promise<void> {
  await requireDataset(options.dataset);
  const server = await startServer({
    ...options,
    onFailure: (error, reference) => console.error(`cairn: ${reference}`, error),
  }).catch((error) => {
    throw explainListening(error, options);
  });
  announce(server, options, await examplePath(options.dataset));
  endInOrderOnSignal(() => void server.close());
}

/**
 * Returns path and query of a search that has results, without a leading slash. Returns `openapi.json` if the dataset
 * is empty or unreadable.
 */
export async function examplePath(dataset: string): Promise<string> {
  const manifest = await openNodeDataset(dataset)
    .manifest()
    .catch(() => undefined);
  const example = manifest && exampleSearch(manifest);
  return example ? `${example.path.slice(1)}?${new URLSearchParams(example.parameters)}` : "openapi.json";
}

/** Throws if the folder does not exist or has no built page. */
export async function requirePage(page: string): Promise<void> {
  await requireFolder(page);
  if (!(await holdsPage(page)))
    throw new CodedError("CAIRN_E_VALUE", `--page ${page}: no built page, index.html not found`);
}

interface Listening {
  readonly port: number;
  readonly hostname?: string | undefined;
}

/** Throws if a server cannot listen on this port, so that a command fails before it builds anything. */
export async function requirePort({ port, hostname }: Listening): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListening(error, { port, hostname })));
    server.listen(port, hostname, () => server.close(() => resolve()));
  });
}

function explainListening(error: unknown, { port, hostname = "" }: Listening): unknown {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case "EADDRINUSE":
      return new CodedError(
        "CAIRN_E_PORT",
        `--port ${port}: used by another program; choose another port, or 0 for a free one`,
      );
    case "EACCES":
      return new CodedError("CAIRN_E_PORT", `--port ${port}: permission denied; choose a port from 1024`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return new CodedError(
        "CAIRN_E_PORT",
        `--host ${hostname}: not an address of this machine; use 127.0.0.1 for this machine only, 0.0.0.0 for all addresses`,
      );
    default:
      return error;
  }
}

function announce({ url, hasPage }: RunningServer, options: ServerOptions, example: string): void {
  const { keys, publicUrl, trustProxy } = options;
  if (keys !== undefined) console.log("page  not served with keys: it sends no key");
  else console.log(hasPage ? `page  ${url}` : "page  not built: npm run build");
  console.log(`REST  ${url}${example}`);
  console.log(`MCP   ${url}mcp, for agents`);
  console.log(
    keys === undefined
      ? "keys  off (x-api-key is ignored)"
      : `keys  from ${keys}, required for REST paths and dataset files`,
  );
  if (publicUrl !== undefined) console.log(`links to ${parsePublicUrl(publicUrl)}`);
  else if (trustProxy) console.log("links from X-Forwarded-Host, -Proto and -Prefix; relative without them");
  else console.log("links relative, absolute below /ogc; set --public-url or --trust-proxy for absolute links");
  console.log(`sent  as ${ENCODINGS.join(", ")} or uncompressed, by Accept-Encoding`);
}
