/**
 * Checks how a host serves a pack (a file with many slices): a range of it, and if needed the complete file.
 * @module
 */

import { createHash } from "node:crypto";
import { messageOf } from "../../../data/format/message-of.ts";
import { type Answer, type Ask, contentOf, isHtml, type Range } from "./ask.ts";
import { checkAnswer, type Finding, type Kind } from "./check-answer.ts";
import type { NamedSlice } from "./site.ts";

/** A pack with those of its slices that are checked. */
interface NamedPack {
  readonly url: URL;
  readonly slices: readonly NamedSlice[];
}

interface CheckedPack {
  readonly findings: readonly Finding[];
  /** Bytes of the pack, from the answer's Content-Range or the complete file. Undefined if it is missing. */
  readonly bytes: number | undefined;
}

/** Groups slices by pack. Packs and their slices are in the order of the list. */
export function packsOf(slices: readonly NamedSlice[]): NamedPack[] {
  const byUrl = new Map<string, NamedSlice[]>();
  for (const slice of slices) byUrl.set(slice.url.href, [...(byUrl.get(slice.url.href) ?? []), slice]);
  return Array.from(byUrl, ([href, own]) => ({ url: new URL(href), slices: own }));
}

/**
 * Requests the range of the first of these slices. Requests the complete pack too if `isWhole`, or if the answer to the
 * range is wrong. Returns the faults of the answers, and of the bytes of the slices.
 */
export async function checkPack({ url, slices }: NamedPack, isWhole: boolean, ask: Ask): Promise<CheckedPack> {
  const kind: Kind = url.pathname.endsWith(".pack") ? "pack" : "partition";
  const [first] = slices;
  if (!first) return { findings: [], bytes: undefined };
  const range = { start: first.offset, end: first.offset + first.bytes };
  const part = await ask(url, range);
  if (part.status === 404 || part.status === 403) return { findings: [missingFile(part)], bytes: undefined };
  const wrong = rangeFault(part, range);
  const findings = wrong ? [wrong] : [...checkAnswer(kind, part), ...checkBytes(first, part, range.start)];
  const totalBytes = wrong ? undefined : Number(/\/(\d+)$/.exec(part.headers["content-range"] ?? "")?.[1]);
  if (!isWhole && !wrong) return { findings, bytes: totalBytes };
  const whole = await ask(url);
  if (whole.status !== 200) return { findings: [...findings, missingFile(whole)], bytes: totalBytes };
  const ofWhole = [...checkAnswer(kind, whole), ...slices.flatMap((slice) => checkBytes(slice, whole, 0))];
  // Report a fault of both requests once.
  const said = new Set(findings.map(({ check }) => check));
  return {
    findings: [...findings, ...ofWhole.filter(({ check }) => !said.has(check))],
    bytes: totalBytes ?? whole.body.length,
  };
}

/** Returns the finding that a file of the site or dataset is missing. */
export function missingFile({ url, status, body }: Answer): Finding {
  const got = isHtml(body) ? `${status} with a web page` : String(status);
  return {
    check: "file-missing",
    what: `${url} answers ${got}`,
    advice: "upload all files of the build; names that begin with _ too",
  };
}

/** Returns the fault of an answer to a range request; undefined if it is right. */
function rangeFault({ url, status, headers, body, isCut }: Answer, { start, end }: Range): Finding | undefined {
  const asked = `${url}: request for bytes ${start} to ${end - 1} is answered`;
  const cost = "searches then download complete packs, by default of 4 MiB";
  if (status === 200) {
    return {
      check: "ranges",
      what: `${asked} with the complete file`,
      advice: `serve ranges (RFC 9110): ${cost}; or build the dataset with --pack-size 0, each slice a file of its own`,
    };
  }
  if (status !== 206) {
    return {
      check: "ranges",
      what: `${asked} with status ${status}`,
      advice: `answer Range with 206: ${cost}; look for a proxy or a rule that refuses the header`,
    };
  }
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    return {
      check: "range-encoded",
      what: `${asked} with a part of the ${encoding} encoded file`,
      advice:
        "turn compression off for .pack and .parquet, on the host and on proxies before it: ranges count the bytes of the file itself",
    };
  }
  const contentRange = headers["content-range"] ?? "none";
  const [, first, last] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange) ?? [];
  if (Number(first) !== start || Number(last) !== end - 1) {
    return {
      check: "range-wrong",
      what: `${asked} with Content-Range: ${contentRange}`,
      advice: `send the requested range and its Content-Range: ${cost}; or disable ranges if the host does not support them`,
    };
  }
  if (isCut || body.length === end - start) return undefined;
  return {
    check: "range-wrong",
    what: `${asked} with ${body.length} bytes, expected ${end - start}`,
    advice: `send as many bytes as Content-Range names: ${cost}; look for a proxy that changes answers`,
  };
}

/** Checks the SHA-256 of a slice in an answer. `start` is the position in the pack of the answer's first byte. */
function checkBytes({ url, offset, bytes, sha256 }: NamedSlice, answer: Answer, start: number): Finding[] {
  if (answer.isCut) return [];
  const advice = "upload the file again, as binary: something on the way changed it";
  let content: Buffer;
  try {
    content = contentOf(answer).subarray(offset - start, offset - start + bytes);
  } catch (error) {
    const reason = messageOf(error);
    return [{ check: "bytes", what: `${url} does not match its Content-Encoding: ${reason}`, advice }];
  }
  const at = `${url} from byte ${offset} on`;
  if (content.length !== bytes) {
    return [{ check: "bytes", what: `${at} has ${content.length} bytes, expected ${bytes}`, advice }];
  }
  const hash = createHash("sha256").update(content).digest("hex");
  return hash === sha256 ? [] : [{ check: "bytes", what: `${at} has SHA-256 ${hash}, expected ${sha256}`, advice }];
}
