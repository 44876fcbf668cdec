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
import { endInOrderOnSignal } from "./signals.ts";

/** Throws the system's error where nothing is. */
export async function requireFolder(path: string): Promise<void> {
  if (!(await stat(path)).isDirectory()) throw new Error(`${path}: is a file, expected a folder`);
}

/** A folder or an address; at an address nothing is asked for. */
export async function requireDataset(dataset: string): Promise<void> {
  if (/^https?:/.test(dataset)) return;
  await requireFolder(dataset);
  await access(join(dataset, MANIFEST_PATH)).catch(() => {
    throw new Error(`${dataset} is not a dataset: it has no ${MANIFEST_PATH}`);
  });
}

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

/** A search that finds something; the OpenAPI document where the dataset cannot be read, or is empty. */
export async function examplePath(dataset: string): Promise<string> {
  const manifest = await openNodeDataset(dataset)
    .manifest()
    .catch(() => undefined);
  const example = manifest && exampleSearch(manifest);
  return example ? `${example.path.slice(1)}?${new URLSearchParams(example.parameters)}` : "openapi.json";
}

/** Throws for a folder without a built page. */
export async function requirePage(page: string): Promise<void> {
  await requireFolder(page);
  if (!(await holdsPage(page))) throw new Error(`--page ${page}: no built page, it has no index.html`);
}

interface Listening {
  readonly port: number;
  readonly hostname?: string | undefined;
}

/** Throws where the port cannot be listened to, so that nothing is built for a server that will not start. */
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
      return new Error(`--port ${port}: another program listens there; choose another, or 0 for a free one`);
    case "EACCES":
      return new Error(`--port ${port}: this user may not listen there; choose one from 1024 on`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return new Error(
        `--host ${hostname}: not an address of this machine; 127.0.0.1 is this machine alone, 0.0.0.0 all of its addresses`,
      );
    default:
      return error;
  }
}

function announce({ url, hasPage }: RunningServer, options: ServerOptions, example: string): void {
  const { keys, publicUrl, trustProxy } = options;
  if (keys !== undefined) console.log("page  not served with keys: it reads the dataset without one");
  else console.log(hasPage ? `page  ${url}` : "page  not built: npm run build");
  console.log(`REST  ${url}${example}`);
  console.log(`MCP   ${url}mcp, for agents`);
  console.log(
    keys === undefined
      ? "keys  none set: x-api-key is neither needed nor looked at"
      : `keys  from ${keys}, for REST paths and files of the dataset`,
  );
  if (publicUrl !== undefined) console.log(`links to ${parsePublicUrl(publicUrl)}`);
  else if (trustProxy) console.log("links as X-Forwarded-Host, -Proto and -Prefix say; relative without them");
  else console.log("links relative, below /ogc whole on this machine: --public-url or --trust-proxy makes all whole");
  console.log(`sent  as ${ENCODINGS.join(", ")} or plain, as the caller accepts`);
}
