import { access } from "node:fs/promises";
import { join } from "node:path";
import { ENCODINGS } from "../../web/hosts/node/compression.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { parsePublicUrl } from "../../web/hosts/node/public-url.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../web/hosts/node/server.ts";
import { exampleSearch } from "../../web/search/index.ts";
import { endInOrderOnSignal } from "./signals.ts";

export async function requireDataset(dataset: string): Promise<void> {
  if (/^https?:/.test(dataset)) return;
  await access(join(dataset, "manifest.json")).catch(() => {
    throw new Error(`${dataset} is not a dataset: it has no manifest.json`);
  });
}

export async function serveDataset(options: ServerOptions): Promise<void> {
  await requireDataset(options.dataset);
  const server = await startServer({
    ...options,
    onFailure: (error, reference) => console.error(`cairn: ${reference}`, error),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`port ${options.port} is taken; choose another with --port, or 0 for a free one`);
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
