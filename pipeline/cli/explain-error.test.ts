import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { explainError, type Given } from "./explain-error.ts";

const GIVEN: readonly Given[] = [
  { option: undefined, value: "sources" },
  { option: undefined, value: "@lists/all.txt" },
  { option: "--out", value: "/data/monaco" },
  { option: "--temp", value: "/data" },
];

const failed = (code: string, syscall: string, path: string): Error =>
  Object.assign(new Error(`${code}: words of the system, ${syscall} '${path}'`), { code, syscall, path });

test("an error names the option or argument that contains the path", () => {
  const said = (path: string) => explainError(failed("EACCES", "open", path), GIVEN);
  const denied = "permission denied; choose another path, or change its permissions";
  expect(said("/data/monaco")).toBe(`--out /data/monaco: ${denied}`);
  expect(said("/data/monaco/place/a.pack")).toBe(`--out /data/monaco: /data/monaco/place/a.pack: ${denied}`);
  expect(said("/data/monaco.build/plan.json")).toBe(`--out /data/monaco: /data/monaco.build/plan.json: ${denied}`);
  expect(said("/data/other")).toBe(`--temp /data: /data/other: ${denied}`);
  expect(said("sources/place.parquet")).toBe(`sources: sources/place.parquet: ${denied}`);
  expect(said("lists/all.txt")).toBe(`@lists/all.txt: ${denied}`);
  expect(said("/etc/hosts")).toBe(`/etc/hosts: ${denied}`);
});

test("a message contains no system codes, even if another program wrote it", () => {
  const messages: readonly (readonly [from: string, to: string])[] = [
    ["cannot be fetched: connect ECONNREFUSED 127.0.0.1:9", "cannot be fetched: connection refused: 127.0.0.1:9"],
    ["getaddrinfo ENOTFOUND nowhere.invalid", "no such host: nowhere.invalid"],
    ["fetch failed (read ECONNRESET)", "fetch failed (the host closed the connection)"],
    [
      "sum: ENOENT: no such file or directory, open '/data/monaco/x'; again",
      "sum: --out /data/monaco: /data/monaco/x: no such file or folder; check the path; again",
    ],
    ["--bbox: expected EPSG:4326, got ETRS89", "--bbox: expected EPSG:4326, got ETRS89"],
  ];
  for (const [from, to] of messages) expect(explainError(new Error(from), GIVEN)).toBe(to);
});

test("system errors are explained in plain words", async () => {
  const error = await readFile("/proc/none").catch((reason: unknown) => reason);
  expect(explainError(error, [{ option: "--area", value: "/proc/none" }])).toBe(
    "--area /proc/none: no such file or folder; check the path",
  );
  expect(explainError(failed("ENOENT", "mkdir", "/proc/x"), [])).toBe(
    "/proc/x: this folder cannot be created; choose another path",
  );
  expect(explainError(failed("EWHATEVER", "open", "/x"), [])).toBe("/x: the system rejected it (EWHATEVER)");
  expect(explainError("no error at all", [])).toBe("no error at all");
});
