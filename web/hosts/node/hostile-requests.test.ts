import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { CONNECTION_LIMITS } from "./limits.ts";
import { type RunningServer, startServer } from "./server.ts";

const SECRET = "content of a hidden file";
const LIMITS = { ...CONNECTION_LIMITS, headersMs: 300, requestMs: 600, idleMs: 2000 };
let root: string;
let server: RunningServer;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "cairn-hostile-"));
  const place = [{ id: "one", country: "MC", geometry: { type: "Point", coordinates: [7.42, 43.73] } as const }];
  const files = await makeDataset({ place });
  for (const [path, bytes] of files) await write(join("dataset", path), bytes);
  await write("dataset/page.html", "<script>steal()</script>");
  await write("page/index.html", "<!doctype html>");
  await write("secret.txt", SECRET);
  await write("secrets/index.html", SECRET);
  await write("dataset-of-another/secret.txt", SECRET);
  for (const folder of ["dataset", "page"]) {
    await symlink(join(root, "secret.txt"), join(root, folder, "link.txt"));
    await symlink(root, join(root, folder, "up"));
    await symlink(join(root, "secrets"), join(root, folder, "secrets"));
  }
  await symlink(join(root, "dataset/manifest.json"), join(root, "dataset/same.json"));
  server = await startServer({ dataset: join(root, "dataset"), page: join(root, "page"), port: 0, limits: LIMITS });
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

/** Sends raw bytes in pieces, and returns everything received until the host closed. */
function send(pieces: readonly string[], pauseMs = 0): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const left = [...pieces];
    let answer = "";
    const next = () => {
      const piece = left.shift();
      if (piece === undefined || socket.destroyed) return;
      socket.write(piece, "latin1");
      setTimeout(next, pauseMs);
    };
    socket.on("connect", next);
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    // after a refusal the host need not read on
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

const get = (target: string, headers = "") =>
  send([`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`]);
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const SEARCH = "/places?lat=43.73&lng=7.42&radius=100";

describe("nothing outside the folders is served", () => {
  const climbs = [
    "..",
    "%2e%2e",
    "%2E.",
    ".%2e",
    "%252e%252e",
    "..%00",
    "..%2f..",
    "..%5c..",
    "..\\..",
    "..;",
    "....//..",
  ];
  const targets = climbs.flatMap((climb) =>
    ["/dataset/", "/", "/dataset/place/"].map((base) => `${base}${`${climb}/`.repeat(4)}secret.txt`),
  );
  test.each([
    ...targets,
    "/dataset/link.txt",
    "/link.txt",
    "/dataset/up/secret.txt",
    "/up/secret.txt",
    "/dataset/secrets/",
    "/secrets",
    "/dataset-of-another/secret.txt",
    "/dataset/../dataset-of-another/secret.txt",
    "/dataset//etc/passwd",
    "//etc/passwd",
    "///etc/passwd",
    "/dataset/%2fetc%2fpasswd",
    "/dataset/manifest.json%00.txt",
    "/%00",
    "/dataset/C:\\secret.txt",
    "http://h/../../secret.txt",
    "file:///etc/passwd",
    "../secret.txt",
    "*",
    `/dataset/${"a/".repeat(3000)}`,
    `/dataset/${"a".repeat(5000)}`,
  ])("GET %s", async (target) => {
    const answer = await get(target);
    expect(answer).not.toContain(SECRET);
    expect(answer).not.toContain("root:");
    expect([400, 404]).toContain(statusOf(answer));
    expect(answer).not.toContain(root);
  });

  test("files of the dataset are served, also by a link within it; pages among them run nothing", async () => {
    for (const name of ["manifest.json", "same.json"]) {
      const answer = await get(`/dataset/${name}`);
      expect([statusOf(answer), answer.includes('"made-up"')]).toEqual([200, true]);
    }
    const page = await get("/dataset/page.html");
    expect(page).toMatch(/content-security-policy: default-src 'none'; sandbox/i);
    for (const answer of [page, await get("/index.html")]) expect(answer).toMatch(/x-content-type-options: nosniff/i);
  });

  test("pages of other origins may read files, and no more", async () => {
    const asks = "Origin: https://other.example\r\nAccess-Control-Request-Method: PUT\r\n";
    const answer = await send([
      `OPTIONS /dataset/manifest.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${asks}\r\n`,
    ]);
    expect(answer).toMatch(/access-control-allow-methods: GET,HEAD,POST,OPTIONS\r\n/i);
  });
});

describe("callers have limits", () => {
  test("headers above their size are a 431", async () => {
    expect(statusOf(await get(SEARCH, `X-Long: ${"x".repeat(LIMITS.headerBytes)}\r\n`))).toBe(431);
  });

  test("a URL above its size is refused, above the size of headers with 431", async () => {
    expect(statusOf(await get(`${SEARCH}&name=${"x".repeat(9000)}`))).toBe(400);
    expect(statusOf(await get(`${SEARCH}&name=${"x".repeat(40_000)}`))).toBe(431);
  });

  test("headers that do not end are a 408, and the connection is closed", async () => {
    const drip = Array.from({ length: 100 }, (_, i) => `X-${i}: slow\r\n`);
    const answer = await send([`GET ${SEARCH} HTTP/1.1\r\nHost: localhost\r\n`, ...drip], 50);
    expect(statusOf(answer)).toBe(408);
  });

  test("an endless body is cut off", async () => {
    const drip = Array.from({ length: 100 }, () => "x");
    const answer = await send(["POST /places HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n", ...drip], 50);
    expect([405, 408]).toContain(statusOf(answer));
    expect((answer.match(/HTTP\/1\.1 /g) ?? []).length).toBeLessThanOrEqual(2);
  });

  test("a silent connection is closed", async () => {
    expect(await send([])).toMatch(/^$|408/);
  });

  test.each([
    ["with a length", ["Content-Length: 4\r\n", "body"]],
    ["in chunks", ["Transfer-Encoding: chunked\r\n", "4\r\nbody\r\n0\r\n\r\n"]],
  ])("a body of a GET %s changes nothing", async (_, [header, body]) => {
    const answer = await send([
      `GET ${SEARCH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n${body}`,
    ]);
    expect([statusOf(answer), answer.includes('"one"')]).toEqual([200, true]);
  });

  test.each([
    ["two lengths", "Content-Length: 4\r\nContent-Length: 5\r\n"],
    ["a length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"],
    ["a header without a colon", "nonsense\r\n"],
    ["a NUL in a header", "X-Bad: a\0b\r\n"],
  ])("%s: the request is refused", async (_, headers) => {
    expect(statusOf(await get(SEARCH, headers))).toBe(400);
  });

  test.each(["POST", "PUT", "DELETE", "PATCH", "TRACE"])("%s is not allowed, on searches and files", async (method) => {
    for (const target of [SEARCH, "/dataset/manifest.json"]) {
      const answer = await send([`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`]);
      expect([404, 405]).toContain(statusOf(answer));
    }
  });

  test.each([
    [
      "headers that are too long",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(LIMITS.headerBytes)}\r\n\r\n`,
      431,
    ],
    ["no Host", `GET ${SEARCH} HTTP/1.1\r\n\r\n`, 400],
    ["an invalid Host", `GET ${SEARCH} HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n`, 400],
    ["two words for a Host", `GET ${SEARCH} HTTP/1.1\r\nHost: h@i\r\nConnection: close\r\n\r\n`, 400],
    ["OPTIONS of no path", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["an address of another scheme", "GET file:///etc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["headers that do not end", "GET / HTTP/1.1\r\nHost: localhost\r\n", 408],
    ["no HTTP", "nonsense\r\n\r\n", 400],
  ])("%s: refused in the standard error format", async (_, request, status) => {
    const [head = "", body = ""] = (await send([request])).split("\r\n\r\n");
    expect(statusOf(head)).toBe(status);
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8\r?$/im);
    expect(head).toMatch(/^access-control-allow-origin: \*\r?$/im);
    const text = /^transfer-encoding: chunked/im.test(head) ? body.split("\r\n")[1] : body;
    expect(JSON.parse(text ?? "")).toEqual({
      statusCode: status,
      message: [expect.stringMatching(/./)],
      error: expect.stringMatching(/^[A-Z]/),
    });
  });

  test("HTTP/1.0 needs no Host", async () => {
    expect(statusOf(await send([`GET ${SEARCH} HTTP/1.0\r\n\r\n`]))).toBe(200);
  });

  test("bytes after a request do not affect its answer", async () => {
    const answer = await send([`GET ${SEARCH} HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n`]);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect((answer.match(/HTTP\/1\.1 /g) ?? []).length).toBeLessThanOrEqual(2);
  });

  test("a search is answered after all these requests", async () => {
    expect(
      (await fetch(`${server.url}${SEARCH.slice(1)}`).then((response) => response.json())) as unknown[],
    ).toHaveLength(1);
  });
});
