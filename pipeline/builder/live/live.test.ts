import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { temporaryFolders } from "../../testing/folders.ts";
import { dataAddress, fetchSource, fileNameOf, isLiveSource } from "./index.ts";

const newFolder = temporaryFolders();
const CSV = "Name,lat,lng\nPort,43.73,7.42\n";

let server: Server | undefined;
afterEach(() => server?.close());

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function fetching(address: string, more: { readonly maxBytes?: number; readonly folder?: string } = {}) {
  const waits: string[] = [];
  const options = { folder: await newFolder(), ...more, onWait: (text: string) => void waits.push(text) };
  return { found: await fetchSource(address, { ...options, idleTimeoutMs: 500, sleep: async () => undefined }), waits };
}

test("an unchanged file is not downloaded again, and a changed one replaces it", async () => {
  let [text, sent] = [CSV, 0];
  const base = await serve((request, response) => {
    const etag = `"${text.length}"`;
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
    sent++;
    response.writeHead(200, { etag, "content-type": "text/csv" }).end(text);
  });
  const folder = await newFolder();
  const first = await fetching(`${base}/export/shops.csv?x=1`, { folder });
  expect(first.found).toMatchObject({ bytes: CSV.length, isChanged: true });
  expect(first.found.path).toMatch(/[/\\]shops\.csv$/);
  const second = await fetching(`${base}/export/shops.csv?x=1`, { folder });
  expect([second.found.isChanged, second.found.path, sent]).toEqual([false, first.found.path, 1]);
  text = `${CSV}Rock,43.74,7.43\n`;
  const third = await fetching(`${base}/export/shops.csv?x=1`, { folder });
  expect([third.found.isChanged, await readFile(third.found.path, "utf8")]).toEqual([true, text]);
});

test("without an ETag the time is asked for, and the content decides", async () => {
  const asked: (string | undefined)[] = [];
  const base = await serve((request, response) => {
    asked.push(request.headers["if-modified-since"]);
    response.writeHead(200, { "last-modified": "Sat, 28 Nov 2026 10:00:00 GMT" }).end(CSV);
  });
  const folder = await newFolder();
  expect((await fetching(`${base}/a.csv`, { folder })).found.isChanged).toBe(true);
  expect((await fetching(`${base}/a.csv`, { folder })).found.isChanged).toBe(false);
  expect(asked).toEqual([undefined, "Sat, 28 Nov 2026 10:00:00 GMT"]);
});

test("a busy host and a cut connection are asked again", async () => {
  let count = 0;
  const base = await serve((_, response) => {
    count++;
    if (count === 1) response.writeHead(503).end();
    else if (count === 2) {
      response.writeHead(200, { "content-length": "1000" }).write("Name,");
      setTimeout(() => response.destroy(), 20);
    } else response.end(CSV);
  });
  const { found, waits } = await fetching(`${base}/a.csv`);
  expect([found.bytes, count, waits.length]).toEqual([CSV.length, 3, 2]);
});

test.each<[string, number, Record<string, string>, string, RegExp]>([
  [
    "a login",
    200,
    { "content-type": "text/html; charset=utf-8" },
    "<title>Sign in</title>",
    /the answer is the web page "Sign in", not data: use the address of the export/,
  ],
  ["a page without its type", 200, {}, "<!DOCTYPE html><html></html>", /the answer is a web page, not data/],
  ["nothing", 200, {}, "", /the answer is empty/],
  ["a private file", 403, {}, "no", /status 403, it needs a login; share or publish the file/],
  ["a missing file", 404, {}, "no", /status 404, no such file/],
  ["a large file", 200, {}, "x".repeat(2000), /more than 1000 bytes: export a smaller part/],
])("%s is an error that says what to do", async (_, status, headers, body, message) => {
  const base = await serve((_request, response) => void response.writeHead(status, headers).end(body));
  await expect(fetching(`${base}/a.csv`, { maxBytes: 1000 })).rejects.toThrow(message);
});

test("a Google Sheet is fetched as CSV", () => {
  const sheet = "https://docs.google.com/spreadsheets/d/1AbC_d-9";
  expect(dataAddress(`${sheet}/edit?usp=sharing#gid=42`)).toBe(`${sheet}/export?format=csv&gid=42`);
  expect(dataAddress(sheet)).toBe(`${sheet}/export?format=csv`);
  const published = "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?gid=0&single=true&output=csv";
  expect(dataAddress(published)).toBe(published);
});

test("the name comes from the address, otherwise from the host's answer", () => {
  expect(fileNameOf("https://a.org/files/Pontos%20de%20%C3%A1gua.geojson?x=1", null)).toBe("Pontos de água.geojson");
  expect(fileNameOf("https://a.org/api/v2/catalog/datasets/velib/exports/csv", null)).toBe("velib");
  expect(fileNameOf("https://a.org/export?format=csv", 'attachment; filename="My shops.csv"')).toBe("My shops.csv");
  expect(fileNameOf("https://a.org/pub", "attachment; filename*=UTF-8''L%C3%A4den.csv")).toBe("Läden.csv");
  expect(fileNameOf("https://a.org/pub", 'attachment; filename="../../etc/passwd"')).toBe("passwd");
  expect(fileNameOf("https://a.org/", null)).toBe("a.org");
});

test("Parquet in Overture's schema is not downloaded as a whole", () => {
  const is = (source: string, isTable = false) => isLiveSource(source, { isTable });
  expect(is("https://a.org/x.csv")).toBe(true);
  expect(is("https://a.org/x.parquet")).toBe(false);
  expect(is("https://a.org/x.parquet", true)).toBe(true);
  expect([is("shops.csv"), is("s3://a/b.csv")]).toEqual([false, false]);
});
