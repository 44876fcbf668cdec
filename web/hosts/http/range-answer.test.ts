import { expect, test } from "vitest";
import { judgeRange, rangeHeader } from "./read-range.ts";

const RANGE = { start: 100, end: 200 };
const head = (status: number, headers: Record<string, string> = {}, type: ResponseType = "default") => ({
  status,
  headers: new Headers(headers),
  type,
});

test("a range request has the inclusive last byte", () => {
  expect(rangeHeader(RANGE)).toBe("bytes=100-199");
});

test.each<[string, ReturnType<typeof head>, string]>([
  ["the range", head(206, { "Content-Range": "bytes 100-199/5000" }), "right"],
  ["the range of a file of any length", head(206, { "Content-Range": "bytes 100-199/*" }), "right"],
  ["the last bytes of the file", head(206, { "Content-Range": "bytes 100-199/200", "Content-Length": "100" }), "right"],
  ["a range that the browser hides", head(206, { "Content-Length": "100" }, "cors"), "right"],
  ["no range, of the same origin", head(206, { "Content-Length": "100" }, "basic"), "wrong"],
  ["a range cut at the end of a shorter file", head(206, { "Content-Range": "bytes 100-149/150" }), "wrong"],
  ["a range one byte off", head(206, { "Content-Range": "bytes 100-200/5000" }), "wrong"],
  ["a range that reads like one", head(206, { "Content-Range": "bytes=100-199/5000" }), "wrong"],
  ["a file shorter than the range", head(206, { "Content-Range": "bytes 100-199/199" }), "wrong"],
  ["another length", head(206, { "Content-Range": "bytes 100-199/5000", "Content-Length": "99" }), "wrong"],
  ["what is compressed", head(206, { "Content-Range": "bytes 100-199/5000", "Content-Encoding": "gzip" }), "wrong"],
  ["parts", head(206, { "Content-Type": "multipart/byteranges; boundary=x" }, "cors"), "wrong"],
  ["all of it", head(200), "whole"],
  ["all of it, with the header of a range", head(200, { "Content-Range": "bytes 100-199/5000" }), "whole"],
  ["that it is not there", head(404), "missing"],
  ["that it is gone", head(410), "missing"],
  ["that there is no such range", head(416), "wrong"],
  ["nothing", head(204), "wrong"],
])("%s is classified", (_, answer, verdict) => {
  expect(judgeRange(answer, RANGE)).toBe(verdict);
});
