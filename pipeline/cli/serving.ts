import { access } from "node:fs/promises";
import { join } from "node:path";
import { ENCODINGS } from "../../web/hosts/node/compression.ts";
import { parsePublicUrl } from "../../web/hosts/node/public-url.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../web/hosts/node/server.ts";
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
  announce(server, options);
  endInOrderOnSignal(() => void server.close());
}

function announce({ url, hasPage }: RunningServer, options: ServerOptions): void {
  const { keys, publicUrl, trustProxy } = options;
  if (keys !== undefined) console.log("page  not served with keys: it reads the dataset without one");
  else console.log(hasPage ? `page  ${url}` : "page  not built: npm run build");
  console.log(`REST  ${url}places?lat=40.015&lng=-105.27&radius=500`);
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
