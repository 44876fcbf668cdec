/**
 * A Node host over a synthetic dataset and page. Its answers are returned as sent.
 * @module
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeDataset } from "../../../engine/testing/made-up-dataset.ts";
import { type ServerOptions, startServer } from "../server.ts";

interface HostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received, possibly compressed. */
  readonly body: Buffer;
}

export interface TestHost {
  readonly url: string;
  readonly folder: string;
  get(path: string, headers?: OutgoingHttpHeaders, method?: string): Promise<HostAnswer>;
  close(): Promise<void>;
}

/** `keys` names one of the files. */
export interface TestHostOptions extends Partial<ServerOptions> {
  readonly places?: number;
  /** Files by path in the folder, in addition to the dataset. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** Starts the host. It serves a page if `files` has `page/index.html`. */
export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { places = 1, files = {}, keys, ...rest } = options;
  const folder = await mkdtemp(join(tmpdir(), "cairn-host-"));
  const dataset = await makeDataset({
    place: Array.from({ length: places }, (_, index) => ({
      id: `place-${String(index).padStart(5, "0")}`,
      country: "MC",
      geometry: { type: "Point", coordinates: [7.42 + index * 1e-6, 43.73] } as const,
    })),
  });
  const all = [
    ...Array.from(dataset, ([path, bytes]) => [`dataset/${path}`, bytes] as const),
    ...Object.entries(files),
  ];
  for (const [path, content] of all) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const page = "page/index.html" in files ? { page: join(folder, "page") } : {};
  const guard = keys === undefined ? {} : { keys: join(folder, keys) };
  const server = await startServer({ dataset: join(folder, "dataset"), ...page, ...guard, port: 0, ...rest });
  return {
    url: server.url,
    folder,
    get: (path, headers = {}, method = "GET") => ask(new URL(path, server.url), { headers, method }),
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

function ask(
  url: URL,
  { headers, method }: { readonly headers: OutgoingHttpHeaders; readonly method: string },
): Promise<HostAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on("error", reject);
    asked.end();
  });
}
