import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import S3rver from "s3rver";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Bucket, openBucket, parseBucket } from "./bucket.ts";
import { type UploadOptions, uploadFolder } from "./upload.ts";

const newFolder = temporaryFolders();

const BUCKET = "maps";
const PART_BYTES = 8 * 2 ** 20;

/** A request to the store, such as `PUT monaco/index.html`, with its headers. */
interface Asked {
  readonly what: string;
  readonly headers: IncomingMessage["headers"];
}

/** Answers instead of the store and returns true. */
type Fault = (asked: Asked, response: ServerResponse) => boolean;

let server: Server;
let store: S3rver;
let endpoint: string;
let asked: Asked[] = [];
let fault: Fault | undefined;

beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "S3RVER");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "S3RVER");
  store = new S3rver({ silent: true, directory: await newFolder() });
  const answer = store.callback();
  server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://store");
    const part = /partNumber=\d+/.exec(search)?.[0];
    const one = {
      what: `${request.method} ${decodeURIComponent(pathname.slice(`/${BUCKET}/`.length))}${part ? ` ${part}` : ""}`,
      headers: request.headers,
    };
    asked.push(one);
    if (!fault?.(one, response)) answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(`${endpoint}/${BUCKET}`, { method: "PUT" })).status).toBe(200);
});

afterAll(() => {
  vi.unstubAllEnvs();
  return new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  asked = [];
  fault = undefined;
});

const open = (folder: string, attempts?: number): Bucket =>
  openBucket({ ...parseBucket(`s3://${BUCKET}/${folder}`), endpoint, region: "us-east-1", attempts });

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

const packOf = (bytes: Uint8Array): string =>
  `dataset/place/_records/${sha256(bytes).toString("hex").slice(0, 16)}.pack`;

async function write(folder: string, files: ReadonlyMap<string, Uint8Array | string>): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

const LARGE = Buffer.alloc(2 * PART_BYTES + 1000, "records of places, ");
const SMALL = Buffer.from("few records");
const PARQUET = Buffer.from("PAR1");
const PARQUET_PATH = `dataset/place/country=MC/geohash=spv/${sha256(PARQUET).toString("hex").slice(0, 16)}.parquet`;

/** A site whose manifest refers to the packs. */
async function makeSite(release: string, packs: readonly Buffer[]): Promise<string> {
  const folder = await newFolder();
  await write(
    folder,
    new Map<string, Buffer | string>([
      ["index.html", `<title>${release}</title>`],
      ["service-worker.js", `// ${release}`],
      ["assets/page-abc.js", "export {};"],
      ["cairn.webmanifest", "{}"],
      ["dataset/manifest.json", JSON.stringify({ format: "cairn", release, packs: packs.map(packOf) })],
      ["dataset/catalog.json", JSON.stringify({ release })],
      [PARQUET_PATH, PARQUET],
      ...packs.map((pack) => [packOf(pack), pack] as const),
    ]),
  );
  return folder;
}

const upload = (folder: string, to: string, more: Partial<UploadOptions> = {}) =>
  uploadFolder({ folder, bucket: open(to, 2), ...more });

const puts = () => asked.flatMap(({ what }) => (what.startsWith("PUT") ? [what.slice("PUT ".length)] : []));

const read = async (path: string) => fetch(`${endpoint}/${BUCKET}/${path}`);

test("a site is in the bucket byte for byte, each file with its media type and cache duration", async () => {
  const folder = await makeSite("june", [LARGE, SMALL]);
  const report = await upload(folder, "site");
  expect(report).toMatchObject({ sent: { files: 9 }, kept: { files: 0, bytes: 0 }, older: { files: 0 } });
  const immutable = "public, max-age=31536000, immutable, no-transform";
  const expected = [
    ["index.html", "text/html; charset=utf-8", "no-cache"],
    ["service-worker.js", "text/javascript; charset=utf-8", "no-cache"],
    ["assets/page-abc.js", "text/javascript; charset=utf-8", immutable],
    ["cairn.webmanifest", "application/manifest+json", "no-cache"],
    ["dataset/manifest.json", "application/json", "no-cache"],
    ["dataset/catalog.json", "application/json", "no-cache"],
    [PARQUET_PATH, "application/vnd.apache.parquet", immutable],
    [packOf(LARGE), "application/octet-stream", immutable],
    [packOf(SMALL), "application/octet-stream", immutable],
  ] as const;
  for (const [path, type, caching] of expected) {
    const answer = await read(`site/${path}`);
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")], path).toEqual([
      200,
      type,
      caching,
    ]);
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), await readFile(join(folder, path))), path).toBe(0);
  }
});

test("a large file is sent in parts, each with its own SHA-256", async () => {
  await upload(await makeSite("june", [LARGE, SMALL]), "parts");
  const sums = asked.flatMap(({ what, headers }) =>
    what.startsWith(`PUT parts/${packOf(LARGE)}`) ? [headers["x-amz-checksum-sha256"]] : [],
  );
  const parts = [0, 1, 2].map((part) => LARGE.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
  expect(sums.toSorted()).toEqual(parts.map((part) => sha256(part).toString("base64")).toSorted());
  const whole = asked.find(({ what }) => what === `PUT parts/${packOf(SMALL)}`);
  expect(whole?.headers["x-amz-checksum-sha256"]).toBe(sha256(SMALL).toString("base64"));
});

test("a release sends new files, then files that refer to them; older files stay until they are pruned", async () => {
  await upload(await makeSite("june", [LARGE, SMALL]), "release");
  asked = [];
  expect(await upload(await makeSite("june", [LARGE, SMALL]), "release")).toMatchObject({ sent: { files: 0 } });
  expect(puts()).toEqual([]);
  await open("release").put({
    path: "readme.txt",
    from: join(await makeSite("june", []), "index.html"),
    contentType: "text/plain",
    cacheControl: "no-cache",
  });

  const next = Buffer.from("other records");
  const july = await makeSite("july", [LARGE, next]);
  asked = [];
  const report = await upload(july, "release");
  expect(report).toMatchObject({ sent: { files: 5 }, kept: { files: 4 }, older: { files: 1, bytes: SMALL.length } });
  const sent = puts();
  expect(sent[0]).toBe(`release/${packOf(next)}`);
  expect(sent[1]).toBe("release/dataset/catalog.json");
  const last = ["release/dataset/manifest.json", "release/index.html", "release/service-worker.js"];
  expect(sent.slice(2).toSorted()).toEqual(last);
  expect((await read(`release/${packOf(SMALL)}`)).status).toBe(200);

  expect(await upload(july, "release", { isPruned: true })).toMatchObject({ sent: { files: 0 }, older: { files: 1 } });
  expect((await read(`release/${packOf(SMALL)}`)).status).toBe(404);
  expect((await read(`release/${packOf(LARGE)}`)).status).toBe(200);
  // A file of another owner.
  expect((await read("release/readme.txt")).status).toBe(200);
});

test("a signature is sent before its manifest, is not cached, and is removed with the older release", async () => {
  const signature = (hash: string) => `dataset/kept/${hash.repeat(16)}.sig`;
  const sign = async (folder: string, hash: string) => {
    await mkdir(join(folder, "dataset/kept"), { recursive: true });
    await writeFile(join(folder, signature(hash)), `signature ${hash}`);
    return folder;
  };
  await upload(await sign(await makeSite("june", [SMALL]), "a"), "signed");
  asked = [];
  const july = await sign(await makeSite("july", [SMALL]), "b");
  expect(await upload(july, "signed")).toMatchObject({ older: { files: 1 } });
  const order = puts().map((path) => path.replace("signed/", ""));
  expect(order.indexOf(signature("b"))).toBeGreaterThanOrEqual(0);
  expect(order.indexOf(signature("b"))).toBeLessThan(order.indexOf("dataset/manifest.json"));
  // a reader that has the older manifest still finds its signature
  expect((await read(`signed/${signature("a")}`)).headers.get("cache-control")).toBe("no-cache");
  await upload(july, "signed", { isPruned: true });
  expect((await read(`signed/${signature("a")}`)).status).toBe(404);
  expect((await read(`signed/${signature("b")}`)).status).toBe(200);
});

test("a failed upload leaves the older release intact, and the same command continues", async () => {
  await upload(await makeSite("june", [SMALL]), "failing");
  const july = await makeSite("july", [LARGE, SMALL]);
  const manifest = async () => (await read("failing/dataset/manifest.json")).text();
  const before = await manifest();
  fault = ({ what }, response) =>
    /partNumber=2$/.test(what) && response.writeHead(503, { "Retry-After": "0" }).end() !== undefined;
  await expect(upload(july, "failing")).rejects.toThrow(/^s3:\/\/maps\/failing\/dataset\/place\/_records\/\w+\.pack: /);
  expect(await manifest()).toBe(before);
  expect((await read(`failing/${packOf(LARGE)}`)).status).toBe(404);

  // One failure is retried.
  let failures = 1;
  fault = ({ what }, response) => {
    if (failures === 0 || !what.startsWith("PUT")) return false;
    failures--;
    response.destroy();
    return true;
  };
  await upload(july, "failing");
  expect(failures).toBe(0);
  expect(await manifest()).not.toBe(before);
});

test("a file that does not match the hash in its name is refused before the upload starts", async () => {
  const folder = await makeSite("june", [SMALL]);
  await writeFile(join(folder, packOf(SMALL)), "few record5");
  await expect(upload(folder, "damaged")).rejects.toThrow(
    /_records\/\w{16}\.pack is damaged: its SHA-256 starts with \w{16}$/,
  );
  expect(puts()).toEqual([]);
});

test("a dataset that a build replaces meanwhile is not published in part", async () => {
  const folder = await makeSite("june", [SMALL]);
  const replacing = upload(folder, "replaced", {
    onProgress: ({ files }) => {
      if (files === 1) void writeFile(join(folder, "dataset/manifest.json"), "{}");
    },
  });
  await expect(replacing).rejects.toThrow(/replaced while it was sent; .*send it again$/);
  expect(puts().filter((path) => path.endsWith("manifest.json") || path.endsWith("index.html"))).toEqual([]);
});

test("errors contain the store's message and the file", async () => {
  const folder = await makeSite("june", []);
  await rm(join(folder, "index.html"));
  const nowhere = openBucket({ ...parseBucket("s3://no-such-bucket"), endpoint, region: "us-east-1" });
  await expect(uploadFolder({ folder, bucket: nowhere })).rejects.toThrow(/^s3:\/\/no-such-bucket\/: NoSuchBucket: /);
  await expect(upload(join(folder, "nowhere"), "empty")).rejects.toThrow(/nowhere: there is no such folder$/);
  await expect(upload(await newFolder(), "empty")).rejects.toThrow(/neither a site nor a dataset/);
  expect(() => parseBucket("https://maps/x")).toThrow(
    "expected a bucket such as s3://my-bucket/maps, got https://maps/x",
  );
  expect(parseBucket("s3://maps//a/b/")).toEqual({ bucket: "maps", prefix: "a/b/" });
  expect(parseBucket("s3://maps")).toEqual({ bucket: "maps", prefix: "" });
});
