import { expect, test } from "vitest";
import { limitFaults } from "./host-limits.ts";

const MIB = 1024 ** 2;

test("a small site fits everywhere", () => {
  expect(limitFaults([{ path: "index.html", bytes: 25 * MIB }])).toEqual([]);
});

test("a file that is too large is named for each host that refuses it", () => {
  const faults = limitFaults([
    { path: "index.html", bytes: 1 },
    { path: "a.wasm", bytes: 30 * MIB },
    { path: "b.parquet", bytes: 120 * MIB },
  ]);
  expect(faults).toEqual([
    "Cloudflare Pages (free) takes files of 25.0 MiB: 2 larger, b.parquet 120.0 MiB",
    "Cloudflare Pages (paid) takes files of 25.0 MiB: 2 larger, b.parquet 120.0 MiB",
    "GitHub Pages takes files of 100.0 MiB: 1 larger, b.parquet 120.0 MiB",
  ]);
});

test("too many files, or too many bytes in total, are reported", () => {
  const files = Array.from({ length: 20_001 }, (_, index) => ({ path: `${index}`, bytes: 100_000 }));
  expect(limitFaults(files)).toEqual([
    "Cloudflare Pages (free) takes 20000 files: the site has 20001",
    "GitHub Pages takes sites of 1024.0 MiB: this one has 1907.4 MiB",
  ]);
});
