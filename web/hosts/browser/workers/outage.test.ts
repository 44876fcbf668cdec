import { expect, test } from "vitest";
import { FetchError } from "../../../engine/contract/errors.ts";
import type { ByteSource } from "../../../engine/contract/ports.ts";
import type { HostAnswer } from "../protocol/protocol.ts";
import { outageAware } from "./outage.ts";

test("during an outage files are tried once, and with retries again after an answer or a delay", async () => {
  let isUp = false;
  let nowMs = 0;
  const tried: string[] = [];
  const named = (name: string): ByteSource => ({
    name,
    async read(path) {
      tried.push(name);
      if (isUp) return new Uint8Array();
      throw new FetchError("nobody answers", { path, cause: new TypeError() });
    },
  });
  const source = outageAware({ patient: named("patient"), hasty: named("hasty"), nowMs: () => nowMs });
  await expect(source.read("a")).rejects.toThrow("nobody answers");
  await expect(source.read("b")).rejects.toThrow("nobody answers");
  isUp = true;
  await source.read("c");
  await source.read("d");
  isUp = false;
  await expect(source.read("e")).rejects.toThrow("nobody answers");
  nowMs = 10_000;
  await expect(source.read("f")).rejects.toThrow("nobody answers");
  expect(tried).toEqual(["patient", "hasty", "hasty", "patient", "patient", "patient"]);
});

test("a host that answers with an error is not offline", async () => {
  const tried: string[] = [];
  const refusing = (name: string): ByteSource => ({
    name,
    async read(path) {
      tried.push(name);
      throw new FetchError("not found", { path, status: 404 });
    },
  });
  const source = outageAware({ patient: refusing("patient"), hasty: refusing("hasty") });
  for (const path of ["a", "b"]) await expect(source.read(path)).rejects.toThrow("not found");
  expect(tried).toEqual(["patient", "patient"]);
});

/** The reported host answers for a read that ends in this way. */
async function answerTo(path: string, end: () => Promise<Uint8Array>): Promise<readonly HostAnswer[]> {
  const answers: HostAnswer[] = [];
  const source: ByteSource = { name: "", read: end };
  await outageAware({ patient: source, hasty: source, onAnswer: (answer) => answers.push(answer) })
    .read(path)
    .catch(() => {});
  return answers;
}

const text = (content: string) => async () => new TextEncoder().encode(content);
const fails = (options: { status?: number; cause?: unknown }) => async () => {
  throw new FetchError("no", { path: "", ...options });
};

test.each([
  ["comes", text('{"format_version":'), "answered", "perhaps"],
  ["comes after a byte order mark and a line", text('\uFEFF\n{"a":1}'), "answered", "perhaps"],
  ["is a network's log-in page", text("<!doctype html>"), "faulty", "perhaps"],
  ["is empty", text(""), "faulty", "perhaps"],
  ["is answered 404", fails({ status: 404 }), "faulty", "perhaps"],
  ["is answered 500", fails({ status: 500 }), "faulty", "perhaps"],
  ["comes to nothing", fails({ cause: new TypeError("Failed to fetch") }), "silent", "silent"],
  ["stalls", fails({ cause: new DOMException("", "TimeoutError") }), "silent", "silent"],
] as const)(
  "a manifest that %s determines the state of the host; a hashed file does so only when it fails alone",
  async (_, end, ofManifest, ofFile) => {
    expect(await answerTo("manifest.json", end)).toEqual([ofManifest]);
    expect(await answerTo("place/_geo/0123456789abcdef.parquet", end)).toEqual([ofFile]);
  },
);

test("an abort by the user does not affect the state of the host", async () => {
  const stopped = async () => Promise.reject(new DOMException("", "AbortError"));
  expect(await answerTo("manifest.json", stopped)).toEqual([]);
});
