import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { FetchError } from "../../engine/contract/errors.ts";
import { httpSource } from "./http-source.ts";

let server: Server | undefined;
const asked: (string | undefined)[] = [];

async function serve(listener: RequestListener): Promise<string> {
  asked.length = 0;
  server = createServer((request, response) => {
    asked.push(request.url);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const options = { retryDelaysMs: [1, 1] };

test("a file is read whole from below the URL", async () => {
  const url = await serve((_, response) => response.end("hello"));
  const bytes = await httpSource(url, options).read("place/country=MC/geohash=-/a.parquet");
  expect(new TextDecoder().decode(bytes)).toBe("hello");
  expect(asked).toEqual(["/data/place/country=MC/geohash=-/a.parquet"]);
});

test.each([404, 403, 206])("status %i is immediately a FetchError with the status", async (status) => {
  const url = await serve((_, response) => response.writeHead(status).end("part"));
  await expect(httpSource(url, options).read("a")).rejects.toThrow(
    expect.objectContaining({ name: "FetchError", path: "a", status }),
  );
  expect(asked).toHaveLength(1);
});

test("a temporary status is retried, three attempts in total", async () => {
  const recovers = await serve((_, response) => response.writeHead(asked.length < 3 ? 503 : 200).end("late"));
  expect(await httpSource(recovers, options).read("a")).toHaveLength(4);
  server?.close();
  const never = await serve((_, response) => response.writeHead(503).end());
  await expect(httpSource(never, options).read("a")).rejects.toThrow(/status 503, expected 200/);
  expect(asked).toHaveLength(3);
});

test("a broken connection is retried; an unreachable host is a FetchError without status", async () => {
  const url = await serve((_, response) => {
    if (asked.length > 1) return response.end("whole");
    response.writeHead(200, { "Content-Length": 100 }).write("half");
    return setTimeout(() => response.destroy(), 5);
  });
  expect(await httpSource(url, options).read("a")).toHaveLength(5);
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  const gone = httpSource(url, options).read("a");
  await expect(gone).rejects.toThrow(FetchError);
  await expect(gone).rejects.toThrow(expect.objectContaining({ status: undefined }));
});

test("an abort is the platform's AbortError, during a read and during the wait before a retry", async () => {
  const url = await serve((_, response) => void response.writeHead(503).end());
  const waiting = new AbortController();
  const read = httpSource(url, { retryDelaysMs: [10_000] }).read("a", { signal: waiting.signal });
  setTimeout(() => waiting.abort(), 50);
  await expect(read).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  server?.close();
  const slow = await serve(() => {});
  const reading = new AbortController();
  setTimeout(() => reading.abort(), 50);
  await expect(httpSource(slow, options).read("a", { signal: reading.signal })).rejects.toThrow(
    expect.objectContaining({ name: "AbortError" }),
  );
});

test("a redirect within the origin is followed; one to another origin is an error that names both, and no request goes there", async () => {
  const reached: string[] = [];
  const foreign = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.end("a stranger's");
  });
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  const other = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  try {
    const url = await serve((request, response) => {
      const to = { "/data/a": "b", "/data/b": "/data/c", "/data/loop": "loop", "/data/d": `${other}/d` }[
        request.url ?? ""
      ];
      response.writeHead(to ? 302 : 200, to ? { Location: to } : {}).end("whole");
    });
    expect(new TextDecoder().decode(await httpSource(url, options).read("a"))).toBe("whole");
    expect(asked).toEqual(["/data/a", "/data/b", "/data/c"]);
    const strange = httpSource(url, options).read("d");
    await expect(strange).rejects.toThrow(
      `d cannot be fetched from ${url}/: it redirects from ${new URL(url).origin} to another origin, ${other}`,
    );
    await expect(strange).rejects.toThrow(
      expect.objectContaining({ name: "FetchError", status: 302, isUnanswered: false }),
    );
    const named = httpSource(url, { ...options, name: "the dataset" }).read("d");
    await expect(named).rejects.toThrow(/^d cannot be fetched from the dataset: it redirects to another origin$/);
    await expect(httpSource(url, options).read("loop")).rejects.toThrow("it redirects more than 5 times");
    expect(reached).toEqual([]);
  } finally {
    foreign.close();
  }
});

test("the cache is bypassed for a fresh file, revalidated for the manifest, otherwise used", async () => {
  const modes: (string | undefined)[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    modes.push(init?.cache);
    return new Response("x");
  };
  const source = httpSource("https://example.com/data/", { fetch });
  await source.read("a", { bytes: 1 });
  await source.read("a", { bytes: 1, fresh: true });
  await source.read("manifest.json", { fresh: true });
  expect(modes).toEqual(["default", "reload", "no-cache"]);
});

test("a stalled answer is given up once, as an outage; a slow one is awaited", async () => {
  const silent = await serve(() => {});
  const read = httpSource(silent, { ...options, stallMs: 500 }).read("a");
  await expect(read).rejects.toThrow(/a cannot be fetched from .*: nothing was received for 0.5 s/);
  await expect(read).rejects.toThrow(expect.objectContaining({ isUnanswered: true }));
  expect(asked).toHaveLength(1);
  server?.closeAllConnections();
  server?.close();
  const half = await serve((_, response) => void response.writeHead(200, { "Content-Length": 9 }).write("half"));
  await expect(httpSource(half, { ...options, stallMs: 500 }).read("a")).rejects.toThrow("nothing was received");
  server?.closeAllConnections();
  server?.close();
  const slow = await serve((_, response) => {
    let left = 6;
    const timer = setInterval(() => {
      response.write("x");
      if (--left > 0) return;
      clearInterval(timer);
      response.end();
    }, 500);
  });
  expect(await httpSource(slow, { ...options, stallMs: 2500 }).read("a")).toHaveLength(6);
});

test("an endless file is read only up to its length", async () => {
  const url = await serve((_, response) => {
    response.on("error", () => {});
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", pour);
    pour();
  });
  const bytes = await httpSource(url, options).read("a", { bytes: 100_000 });
  expect(bytes.length).toBeGreaterThan(100_000);
  expect(bytes.length).toBeLessThan(1_000_000);
});

test("an endless body is read only up to the maximum length of a file, whatever its header says", async () => {
  let sentBytes = 0;
  const url = await serve((_, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const send = () => {
      if (response.destroyed) return;
      sentBytes += chunk.length;
      if (response.write(chunk)) setImmediate(send);
      else response.once("drain", send);
    };
    send();
  });
  const bytes = await httpSource(url, options).read("manifest.json", { maxBytes: 1_000_000 });
  expect(bytes.length).toBeGreaterThan(1_000_000);
  expect(bytes.length).toBeLessThan(2_000_000);
  expect(sentBytes).toBeLessThan(50_000_000);
});
