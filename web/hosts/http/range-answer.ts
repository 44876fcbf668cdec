/** What the answer to a range is worth: many hosts get it wrong. @see https://www.rfc-editor.org/rfc/rfc9110#name-range-requests @module */
import type { ByteRange } from "../../engine/index.ts";

/** `whole`: the body is the whole file. `wrong`: it is of no use, and the host knows no ranges. */
export type RangeVerdict = "right" | "whole" | "missing" | "wrong";

type Head = Pick<Response, "status" | "headers" | "type">;

export function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end - 1}`;
}

export function judgeRange({ status, headers, type }: Head, { start, end }: ByteRange): RangeVerdict {
  if (status === 200) return "whole";
  if (status === 404 || status === 410) return "missing";
  if (status !== 206) return "wrong";
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  // a range of what was compressed is a range of something else
  if (encoding !== "identity") return "wrong";
  const length = headers.get("Content-Length");
  if (length !== null && Number(length) !== end - start) return "wrong";
  if (/^\s*multipart\//i.test(headers.get("Content-Type") ?? "")) return "wrong";
  const told = headers.get("Content-Range");
  // of another origin browsers show it only where the host says that they may
  if (told === null) return type === "cors" ? "right" : "wrong";
  const [, first, last, size] = /^\s*bytes (\d+)-(\d+)\/(\d+|\*)\s*$/i.exec(told) ?? [];
  const isAsked = Number(first) === start && Number(last) === end - 1;
  return isAsked && (size === "*" || Number(size) >= end) ? "right" : "wrong";
}
