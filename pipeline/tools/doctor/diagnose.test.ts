import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_MANIFEST_BYTES } from "../../../data/format/manifest.ts";
import { contentSecurityPolicy } from "../../../web/hosts/http/policy.ts";
import { buildDataset } from "../../builder/dataset/build.ts";
import { point, writeGeoJson } from "../../testing/folders.ts";
import { readSigningKey, signDataset, writeNewKey } from "../sign/index.ts";
import { type Answer, type Ask, ask, contentOf } from "./ask.ts";
import { checkLimits, type Diagnosis, diagnose } from "./diagnose.ts";
import { type BadHost, type Fault, type Given, startBadHost } from "./testing/bad-host.ts";

let folder: string;
let elsewhere: BadHost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-doctor-"));
  const source = join(folder, "source");
  await mkdir(join(folder, "site/assets"), { recursive: true });
  await mkdir(source);
  await writeGeoJson(source, "connector.geojson", [point("a", 7.42, 43.73), point("b", 7.43, 43.74)]);
  await buildDataset({ sources: [source], out: join(folder, "site/dataset") });
  const site = {
    "index.html": '<!doctype html><script type="module" src="./assets/page-0a1b2c3d.js"></script>',
    "service-worker.js":
      'fetch("assets/duckdb-0a1b2c3d4e.wasm.z"); precache("assets/page-0a1b2c3d.js", "assets/page-worker-0a1b2c3d.js");',
    "assets/page-0a1b2c3d.js": "export {};",
    "assets/page-worker-0a1b2c3d.js": "export {};",
    "assets/duckdb-0a1b2c3d4e.wasm.z": "compressed",
  };
  for (const [name, text] of Object.entries(site)) await writeFile(join(folder, "site", name), text);
  elsewhere = await startBadHost(join(folder, "site"));
});
afterAll(async () => {
  await elsewhere.close();
  await rm(folder, { recursive: true, force: true });
});

async function examine(fault?: Fault, path = ""): Promise<Diagnosis> {
  const host = await startBadHost(join(folder, "site"), fault);
  try {
    return await diagnose(new URL(path, host.url), { isAll: true });
  } finally {
    await host.close();
  }
}

const isThere = ({ status }: Given) => status === 200 || status === 206;
const header =
  (pattern: RegExp, headers: Readonly<Record<string, string>>): Fault =>
  (given) =>
    pattern.test(given.path) && isThere(given) ? { ...given, headers: { ...given.headers, ...headers } } : given;

const body =
  (pattern: RegExp, change: (given: Given) => Partial<Given>): Fault =>
  (given) =>
    pattern.test(given.path) && isThere(given) ? { ...given, ...change(given) } : given;

/** Changes the answer to a range request. */
const ranged = (change: (given: Given, start: number) => Partial<Given>): Fault => {
  return (given) => (given.status === 206 && given.range ? { ...given, ...change(given, given.range[0]) } : given);
};

const policy = (pattern: RegExp, part: string, other: string): Fault =>
  header(pattern, { "Content-Security-Policy": contentSecurityPolicy("site").replace(part, other) });

const FAULTS: readonly (readonly [check: string, planted: string, fault: Fault])[] = [
  [
    "missing-files",
    "a web page with 200 for missing files",
    (given) =>
      given.status === 404
        ? { ...given, status: 200, headers: { "Content-Type": "text/html" }, body: Buffer.from("<!doctype html>") }
        : given,
  ],
  [
    "missing-cached",
    "404 cached for a year",
    (given) => (given.status === 404 ? { ...given, headers: { "Cache-Control": "max-age=31536000" } } : given),
  ],
  ["wasm-type", "wasm as text", header(/\.wasm\.z$/, { "Content-Type": "text/plain" })],
  ["data-type", "Parquet as a web page", header(/\.parquet$/, { "Content-Type": "text/html" })],
  ["data-type", "packs as text", header(/\.pack$/, { "Content-Type": "text/plain" })],
  [
    "encoded",
    "complete packs compressed again",
    (given) =>
      /\.(parquet|pack)$/.test(given.path) && given.status === 200
        ? { ...given, headers: { ...given.headers, "Content-Encoding": "gzip" }, body: gzipSync(given.body) }
        : given,
  ],
  [
    "ranges",
    "no ranges",
    (given) => (given.range ? { ...given, status: 200, headers: withoutRange(given), body: given.whole } : given),
  ],
  ["ranges", "ranges refused", ranged(() => ({ status: 416, body: Buffer.alloc(0) }))],
  ["ranges", "ranges not understood", ranged(() => ({ status: 501, body: Buffer.from("no") }))],
  [
    "range-encoded",
    "ranges of what was compressed",
    ranged(({ headers, whole, body }, start) => ({
      headers: { ...headers, "Content-Encoding": "gzip" },
      body: gzipSync(whole).subarray(start, start + body.length),
    })),
  ],
  [
    "range-encoded",
    "ranges compressed on the way",
    ranged(({ headers, body }) => ({ headers: { ...headers, "Content-Encoding": "gzip" }, body: gzipSync(body) })),
  ],
  [
    "range-wrong",
    "the range of another request",
    ranged(({ headers }) => ({ headers: { ...headers, "Content-Range": "bytes 0-0/9" } })),
  ],
  ["range-wrong", "a range without its name", ranged((given) => ({ headers: withoutRange(given) }))],
  ["range-wrong", "fewer bytes than the range has", ranged(({ body }) => ({ body: body.subarray(1) }))],
  [
    "bytes",
    "the first bytes of the file for every range",
    ranged(({ whole, body }, start) => ({ body: start === 0 ? flipped(body) : whole.subarray(0, body.length) })),
  ],
  ["cors", "no CORS", header(/\/dataset\//, { "Access-Control-Allow-Origin": "https://only.example" })],
  ["manifest-cached", "a manifest cached for a day", header(/manifest\.json$/, { "Cache-Control": "max-age=86400" })],
  ["hashed-not-cached", "Parquet not kept", header(/\.parquet$/, { "Cache-Control": "no-cache" })],
  ["hashed-not-cached", "packs not kept", header(/\.pack$/, { "Cache-Control": "max-age=600" })],
  ["page-cached", "the page cached for a day", header(/\/$/, { "Cache-Control": "public, max-age=86400" })],
  ["service-worker", "a service worker with no-store", header(/service-worker/, { "Cache-Control": "no-store" })],
  ["service-worker", "a service worker of the wrong type", header(/service-worker/, { "Content-Type": "text/plain" })],
  [
    "service-worker",
    "no service worker in its scope",
    (given) => (given.path.endsWith("service-worker.js") ? { ...given, status: 404 } : given),
  ],
  ["policy", "no policy for the page's worker", header(/page-worker/, { "Content-Security-Policy": "" })],
  ["policy", "eval in the service worker", policy(/service-worker/, "'wasm-unsafe-eval'", "'unsafe-eval'")],
  ["policy", "any host in the service worker", policy(/service-worker/, "connect-src 'self'", "connect-src https:")],
  ["framed", "a page that anybody may frame", policy(/\/$/, "frame-ancestors 'self'", "")],
  ["dataset-policy", "scripts of pages in the dataset", policy(/manifest\.json$/, "", "")],
  [
    "dataset-policy",
    "a sandbox with scripts",
    header(/manifest\.json$/, { "Content-Security-Policy": "sandbox allow-scripts" }),
  ],
  ["sniffed", "types that are guessed", header(/page-worker/, { "X-Content-Type-Options": "" })],
  ["cut", "files cut short on the way", body(/\.parquet$/, () => ({ cutAt: 100 }))],
  [
    "bytes",
    "complete files of the wrong length",
    (given) =>
      /\.parquet$/.test(given.path) && given.status === 200 ? { ...given, body: given.body.subarray(99) } : given,
  ],
  ["bytes", "a slice of the wrong hash", body(/\/_records\/.*\.pack$/, ({ body }) => ({ body: flipped(body) }))],
  ["file-missing", "folders that begin with _ left out", body(/\/_records\//, () => ({ status: 404 }))],
  [
    "redirect",
    "a redirect to another origin",
    body(/\.parquet$/, ({ path, headers }) => ({
      status: 302,
      headers: { ...headers, Location: new URL(encodeURI(path), elsewhere.url).href },
      body: Buffer.alloc(0),
    })),
  ],
];

function withoutRange({ headers }: Given): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "Content-Range"));
}

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const at = Math.min(50, changed.length - 1);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test("a correct host has no faults", async () => {
  const { looked, findings } = await examine();
  expect(findings).toEqual([]);
  expect(looked[0]).toMatch(/^page .*: 3 files$/);
  expect(looked[1]).toMatch(/^dataset .*\/dataset\/: release [0-9a-f]{12}, \d+ files$/);
});

describe("each planted fault is reported alone and with advice", () => {
  test.each(FAULTS)("%s: %s", async (check, _, fault) => {
    const { findings } = await examine(fault);
    expect(findings.map((finding) => finding.check)).toEqual([check]);
    expect(findings[0]?.what).toMatch(/http:\/\/127\.0\.0\.1/);
    expect(findings[0]?.advice.length).toBeGreaterThan(20);
  });
});

test("a dataset is checked at its own address, or at the address in the page's head", async () => {
  expect((await examine(undefined, "dataset/")).looked).toHaveLength(1);
  const named: Fault = (given) => {
    if (!given.path.endsWith("/")) return given.path.startsWith("/dataset/") ? { ...given, status: 404 } : given;
    const text = gunzipSync(given.body).toString();
    const meta = `<!doctype html><meta name="cairn-dataset" content="${elsewhere.url}dataset/">`;
    return { ...given, body: gzipSync(text.replace("<!doctype html>", meta)) };
  };
  const { looked, findings } = await examine(named);
  expect(looked[1]).toContain(`dataset ${elsewhere.url}dataset/`);
  expect(findings.map(({ check }) => check)).toEqual(["policy-dataset"]);
  const csp = { "Content-Security-Policy": contentSecurityPolicy("site", elsewhere.url.href) };
  const allowed = await examine((given) => named({ ...given, headers: { ...given.headers, ...csp } }));
  expect(allowed.findings).toEqual([]);
});

test("it reports who signed which release and when, and whether the page's key did", async () => {
  const site = join(folder, "site");
  const key = join(folder, "key.pem");
  const pinned = await writeNewKey(key, "p256");
  const line = (looked: readonly string[]) => looked.filter((one) => one.includes("signed by"));
  expect(line((await examine()).looked)).toEqual([]);
  const nowSeconds = 1_800_000_000;
  const { path } = await signDataset({
    ...{ dataset: join(site, "dataset"), key: await readSigningKey(key) },
    ...{ signer: "Acme", nowSeconds },
  });
  const said = /^release \w+ signed by Acme \(key \w{16}\), p256, on 2027-01-15T08:00:00.000Z, sequence 1800000000/;
  const unchecked = await examine();
  expect(line(unchecked.looked)).toEqual([expect.stringMatching(new RegExp(`${said.source}, not checked$`))]);
  const pins = (keys: string) =>
    body(/\/$/, (given) => ({
      body: gzipSync(
        gunzipSync(given.body).toString().replace("<script", `<meta name="cairn-key" content="${keys}" /><script`),
      ),
    }));
  const checked = await examine(pins(pinned));
  expect(line(checked.looked)).toEqual([expect.stringMatching(new RegExp(`${said.source}$`))]);
  expect(checked.findings).toEqual(unchecked.findings);
  const other = await writeNewKey(join(folder, "other.pem"), "ed25519");
  const foreign = await examine(pins(other));
  expect(foreign.findings).toContainEqual(
    expect.objectContaining({ check: "signature", what: expect.stringContaining("is signed by the key") }),
  );
  await rm(join(site, "dataset", path));
  expect((await examine(pins(pinned))).findings).toContainEqual(
    expect.objectContaining({ check: "signature", what: expect.stringContaining("is not signed") }),
  );
});

test("an address without page or dataset is an error", async () => {
  await expect(examine(undefined, "assets/")).rejects.toThrow("is neither a page of Cairn nor a dataset");
});

test("a page without HTTPS is reported", async () => {
  const asked: Ask = (url, range) =>
    ask(new URL(url.pathname, elsewhere.url), range).then((answer) => ({ ...answer, url }));
  const { findings } = await diagnose(new URL("http://maps.example/"), { ask: asked });
  expect(findings.map(({ check }) => check)).toEqual(["insecure"]);
});

test("files that are too large for the host are reported", () => {
  const files = [{ url: new URL("https://me.pages.dev/a.parquet"), bytes: 26 * 1024 ** 2 }];
  expect(checkLimits(new URL("https://me.pages.dev/"), files)).toMatchObject([{ check: "too-large" }]);
  expect(checkLimits(new URL("https://maps.example/"), files)).toEqual([]);
});

test("a body that decompresses to more than any file is not read", () => {
  // Repeated gzip members: a megabyte in a kilobyte.
  const member = gzipSync(Buffer.alloc(1024 * 1024));
  const swollen = Buffer.concat(Array.from({ length: 129 }, () => member));
  const answer = { headers: { "content-encoding": "gzip" }, body: swollen } as unknown as Answer;
  expect(() => contentOf(answer)).toThrow(/larger than 134217728 bytes/);
});

test("a manifest is read only up to the maximum size", async () => {
  const long = body(/manifest\.json$/, () => ({ headers: {}, body: Buffer.alloc(3 * MAX_MANIFEST_BYTES, " ") }));
  const { findings } = await examine(long);
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: "dataset",
      what: expect.stringContaining(`has more than ${MAX_MANIFEST_BYTES} bytes, or ends too soon`),
    }),
  );
});
