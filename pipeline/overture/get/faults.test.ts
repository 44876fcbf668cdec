import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { BBox } from "../../../data/format/bbox.ts";
import type { ExtractPlan } from "../../../data/release/index.ts";
import { makeRelease } from "../../../e2e/bench/synth/release.ts";
import { filesBelow } from "../../base/disk/index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { hashExtract } from "../../testing/hash-tree.ts";
import { type Asked, askedRange, etagOf, type Fault, rangeHeaders } from "../../testing/mirror-server.ts";
import { mirrorServers } from "../../testing/mirror-servers.ts";
import type { GetOptions } from "./decide.ts";
import { parseMirror } from "./disk-remote.ts";
import { refuseFullDisk } from "./fetch-extract.ts";
import { getExtract } from "./get-extract.ts";

const newFolder = temporaryFolders();
const serve = mirrorServers();

const BOULDER: BBox = [-105.3, 40, -105.2, 40.03];

let mirror: string;
/** Hashes from a local mirror, by path. */
let expected: Readonly<Record<string, string>>;

beforeAll(async () => {
  mirror = await newFolder();
  await makeRelease({ out: mirror, releases: ["2026-09-23.0", "2026-10-21.0"], types: ["place", "address"] });
  const { out } = await get(mirror);
  expected = await hashExtract(out);
  expect(Object.keys(expected)).toHaveLength(6);
});

interface Got {
  readonly out: string;
  readonly notices: string[];
  readonly waits: number[];
}

async function get(from: string, more: Partial<GetOptions> = {}): Promise<Got> {
  const out = more.out ?? join(await newFolder(), "out");
  const [notices, waits]: [string[], number[]] = [[], []];
  await getExtract({
    area: { kind: "box", bbox: BOULDER },
    mirror: parseMirror(from),
    onNotice: (message) => notices.push(message),
    sleep: async (ms) => waits.push(ms),
    ...more,
    out,
  });
  return { out, notices, waits };
}

const isData = ({ path, range }: Asked): boolean => path.endsWith(".parquet") && range !== undefined;

/** True for row groups, false for a file's first byte and its footer. */
const isPiece = (asked: Asked): boolean => isData(asked) && askedRange(asked)[0] === 4;

test("a static host gives the same bytes as a disk, with and without Range", async () => {
  const host = await serve(mirror);
  expect(await hashExtract((await get(host.url)).out)).toEqual(expected);
  expect(host.asked.filter(isData).every(({ range }) => range !== undefined)).toBe(true);
  const plain = await serve(mirror, { hasRanges: false });
  const whole = await get(plain.url);
  expect(await hashExtract(whole.out)).toEqual(expected);
  expect(whole.notices.join("\n")).toMatch(/part-00000-.*: the host answers no Range, so all \d+ bytes are fetched/);
  expect((await readdir(whole.out)).includes(".get")).toBe(false);
});

const passing: Readonly<Record<string, Fault>> = {
  "503 with Retry-After": ({ times }, response) => {
    if (times > 1) return false;
    response.writeHead(503, { "retry-after": "7" }).end("busy");
    return true;
  },
  "429 with Retry-After": ({ times }, response) => {
    if (times > 2) return false;
    response.writeHead(429, { "retry-after": "7" }).end();
    return true;
  },
  "a reset in the middle": (asked, response, body) => {
    if (!isData(asked) || asked.times > 1) return false;
    const [start, end] = askedRange(asked);
    response.writeHead(206, rangeHeaders({ start, end, total: body.length, etag: etagOf(body) }));
    response.write(body.subarray(start, (start + end) >> 1), () => response.destroy());
    return true;
  },
  "a truncated body": (asked, response, body) => {
    if (!isPiece(asked) || asked.times > 1) return false;
    const [start, end] = askedRange(asked);
    const headers = rangeHeaders({ start, end, total: body.length, etag: etagOf(body) });
    const half = (start + end) >> 1;
    response.writeHead(206, { ...headers, "content-length": half - start }).end(body.subarray(start, half));
    return true;
  },
  "a silent line": (asked, response, body) => {
    if (!isPiece(asked) || asked.times > 1) return false;
    const [start, end] = askedRange(asked);
    response.writeHead(206, rangeHeaders({ start, end, total: body.length, etag: etagOf(body) }));
    response.write(body.subarray(start, start + 10));
    return true;
  },
};

test.each(Object.entries(passing))("retries %s, with delays", async (name, fault) => {
  const host = await serve(mirror);
  host.fault = fault;
  const { out, waits, notices } = await get(host.url, { idleTimeoutMs: 1000 });
  expect(await hashExtract(out)).toEqual(expected);
  expect(waits.length).toBeGreaterThan(0);
  if (name.includes("Retry-After")) expect(new Set(waits)).toEqual(new Set([7000]));
  else expect(Math.min(...waits)).toBeGreaterThan(300);
  expect(notices[0]).toMatch(/; trying again in \d+\.\d s$/);
});

/** Expects an error, and that the same command succeeds after the fault is removed. */
async function failsThenGoesOn(
  fault: Fault,
  message: RegExp,
): Promise<{ again: readonly Asked[]; first: readonly Asked[] }> {
  const host = await serve(mirror);
  const out = join(await newFolder(), "out");
  host.fault = fault;
  await expect(get(host.url, { out, idleTimeoutMs: 1000 })).rejects.toThrow(message);
  expect(await filesBelow(out).catch(() => [])).toEqual([]);
  host.fault = undefined;
  const first = host.asked.splice(0);
  await get(host.url, { out });
  expect(await hashExtract(out)).toEqual(expected);
  return { first, again: host.asked };
}

test("an unknown host name is not retried, unless the host answered before", async () => {
  const notices: string[] = [];
  // A reserved name that never resolves.
  const nowhere = get("https://mirror.invalid/", { onNotice: (message) => notices.push(message) });
  await expect(nowhere).rejects.toThrow(
    /^mirror\.invalid: the name of this host cannot be looked up; is there a network\? --from names a mirror$/,
  );
  expect(notices).toEqual([]);
  const real = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = real;
  });
  const host = await serve(mirror);
  let isCut = false;
  globalThis.fetch = async (address, init) => {
    // Node reports this if the network disappears.
    const cause = Object.assign(new Error("getaddrinfo EAI_AGAIN"), { code: "EAI_AGAIN" });
    if (!isCut && String(address).endsWith(".parquet")) {
      isCut = true;
      throw new TypeError("fetch failed", { cause });
    }
    return real(address, init);
  };
  const later = await get(host.url);
  expect(isCut).toBe(true);
  expect(later.notices.join("\n")).toMatch(/; trying again in /);
  expect(await hashExtract(later.out)).toEqual(expected);
});

test("a catalogue without an end is an error", async () => {
  const host = await serve(mirror);
  let sent = 0;
  host.fault = ({ path }, response) => {
    if (!path.endsWith("catalog.json")) return false;
    response.writeHead(200);
    const chunk = Buffer.alloc(2 ** 20, " ");
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on("error", () => undefined).on("drain", pour);
    pour();
    return true;
  };
  await expect(get(host.url)).rejects.toThrow(
    /catalog.json: more than 16777216 bytes, expected a small JSON document$/,
  );
  expect(sent).toBeLessThan(100 * 2 ** 20);
});

test("a busy host is an error after eight attempts, and the next run resumes", async () => {
  const busy: Fault = (asked, response) => {
    if (!isPiece(asked) || !asked.path.includes("type=address")) return false;
    response.writeHead(503).end();
    return true;
  };
  const { first, again } = await failsThenGoesOn(busy, /type=address\/part-.*: status 503, 8 times$/);
  const places = (list: readonly Asked[]) =>
    list.filter((asked) => isPiece(asked) && asked.path.includes("type=place"));
  expect(places(first).length).toBeGreaterThan(0);
  expect(places(again)).toEqual([]);
  expect(again.filter(({ path }) => path.endsWith(".json"))).toEqual([]);
});

test("a Retry-After of an hour is an error", async () => {
  const later: Fault = (asked, response) => {
    if (!isPiece(asked)) return false;
    response.writeHead(503, { "retry-after": "3600" }).end();
    return true;
  };
  await failsThenGoesOn(later, /status 503, and asks to wait 3600 s: try again later$/);
});

test("a body that is always truncated is an error", async () => {
  const short: Fault = (asked, response, body) => {
    if (!isPiece(asked)) return false;
    const [start, end] = askedRange(asked);
    const headers = rangeHeaders({ start, end, total: body.length, etag: etagOf(body) });
    response.writeHead(206, { ...headers, "content-length": 10 }).end(body.subarray(start, start + 10));
    return true;
  };
  await failsThenGoesOn(short, /cut short, 10 of \d+ bytes, 8 times$/);
});

test("a missing file is an error without retries", async () => {
  const missing: Fault = (asked, response) => {
    if (!asked.path.includes("type=address/part-00001")) return false;
    response.writeHead(404).end();
    return true;
  };
  const { first } = await failsThenGoesOn(missing, /type=address\/part-00001.*: no such file, status 404$/);
  expect(first.filter(({ path }) => path.includes("type=address/part-00001"))).toHaveLength(1);
});

test("a changed ETag is an error, and bytes of two versions are never mixed", async () => {
  const changed: Fault = (asked, response, body) => {
    if (!isPiece(asked)) return false;
    const [start, end] = askedRange(asked);
    response.writeHead(206, rangeHeaders({ start, end, total: body.length, etag: '"another"' }));
    response.end(body.subarray(start, end));
    return true;
  };
  await failsThenGoesOn(changed, /changed while it was read, from "[0-9a-f]+" to "another": the release was replaced$/);
  const host = await serve(mirror);
  const out = join(await newFolder(), "out");
  const busy: Fault = (asked, response) => isPiece(asked) && response.writeHead(404).end() !== undefined;
  host.fault = busy;
  await expect(get(host.url, { out })).rejects.toThrow("no such file");
  host.fault = (asked, response, body) => {
    if (!isData(asked)) return false;
    const [start, end] = askedRange(asked);
    response
      .writeHead(206, rangeHeaders({ start, end, total: body.length, etag: '"new"' }))
      .end(body.subarray(start, end));
    return true;
  };
  await expect(get(host.url, { out })).rejects.toThrow(
    /changed since the extract was begun, .*; --force starts again$/,
  );
  await get(host.url, { out, force: true });
  expect(await hashExtract(out)).toEqual(expected);
});

test("a host that sends another range or file is an error", async () => {
  const other: Fault = (asked, response, body) => {
    if (!isPiece(asked)) return false;
    const [start, end] = askedRange(asked);
    response.writeHead(206, rangeHeaders({ start: start + 1, end: end + 1, total: body.length, etag: etagOf(body) }));
    response.end(body.subarray(start + 1, end + 1));
    return true;
  };
  await failsThenGoesOn(other, /requested bytes 4-\d+, got bytes 5-\d+\/\d+$/);
  const page: Fault = ({ path }, response) => path === "/catalog.json" && response.end("<html>") !== undefined;
  await failsThenGoesOn(page, /catalog.json: not JSON, begins with "<html>"$/);
  const empty: Fault = ({ path }, response) => path === "/catalog.json" && response.end("{}") !== undefined;
  await failsThenGoesOn(empty, /STAC document .*catalog.json is not valid: .* at id/);
  const denied: Fault = ({ path }, response) => path === "/catalog.json" && response.writeHead(418).end() !== undefined;
  await failsThenGoesOn(denied, /catalog.json: status 418, expected 200 or 206$/);
});

/** On Linux, every write to this device fails with ENOSPC. */
const FULL = "/dev/full";

test.runIf(existsSync(FULL))("a full disk is reported, and downloaded files stay", async () => {
  const host = await serve(mirror);
  const out = join(await newFolder(), "out");
  host.fault = (asked, response) =>
    isPiece(asked) && asked.path.includes("type=address") && response.writeHead(404).end() !== undefined;
  await expect(get(host.url, { out })).rejects.toThrow("no such file");
  host.fault = undefined;
  const expectedMessage =
    /out: the disk is full; downloaded files stay: free disk space and run the same command again$/;
  for (const path of ["raw/NAME.part", "made/NAME.tmp"]) {
    const plan = JSON.parse(await readFile(join(out, ".get/plan.json"), "utf8")).plan as ExtractPlan;
    const name = plan.files.find(({ type }) => type === "address")?.path ?? "";
    const full = join(out, ".get", path.replace("NAME", name));
    await mkdir(dirname(full), { recursive: true });
    await symlink(FULL, full);
    await expect(get(host.url, { out }), path).rejects.toThrow(expectedMessage);
    await rm(full);
  }
  host.asked.splice(0);
  await get(host.url, { out });
  expect(await hashExtract(out)).toEqual(expected);
  expect(host.asked.filter((asked) => isPiece(asked) && asked.path.includes("type=place"))).toEqual([]);
});

test("too little disk space is reported before the download", () => {
  expect(() => refuseFullDisk("out", { needed: 1500, free: 1500 })).not.toThrow();
  expect(() => refuseFullDisk("out", { needed: 1501, free: 1500 })).toThrow(
    "out: the disk has 1500 bytes left, and 1501 are needed",
  );
});

test("a folder has one release and one area", async () => {
  const out = join(await newFolder(), "out");
  await get(mirror, { out, release: "2026-09-23.0", types: ["place"] });
  await expect(get(mirror, { out })).rejects.toThrow(
    /out: contains release 2026-09-23.0, requested 2026-10-21.0: choose another --out$/,
  );
  const elsewhere = { kind: "box", bbox: [7, 43, 8, 44] } as const;
  await expect(get(mirror, { out, release: "2026-09-23.0", area: elsewhere })).rejects.toThrow(
    /out: contains box -105.3,40,-105.2,40.03, requested box 7,43,8,44: choose another --out/,
  );
  // More types can be added, and existing files are not downloaded again.
  await get(mirror, { out, release: "2026-09-23.0" });
  expect(Object.keys(JSON.parse(await readFile(join(out, "extract.json"), "utf8")).types)).toEqual([
    "place",
    "address",
  ]);
  // A dry run with --force removes nothing.
  const before = await hashExtract(out);
  const plans: ExtractPlan[] = [];
  await get(mirror, { out, force: true, isPlanOnly: true, onPlan: (plan) => plans.push(plan) });
  expect(plans.map(({ release }) => release)).toEqual(["2026-10-21.0"]);
  expect(await hashExtract(out)).toEqual(before);
  await rm(join(out, "extract.json"));
  await expect(get(mirror, { out })).rejects.toThrow(/out: holds \S+, expected an empty folder or an extract$/);
});

test("an interrupted download is not mixed with another one", async () => {
  const host = await serve(mirror);
  const out = join(await newFolder(), "out");
  host.fault = (asked, response) => isPiece(asked) && response.writeHead(404).end() !== undefined;
  await expect(get(host.url, { out, release: "2026-09-23.0" })).rejects.toThrow("no such file");
  host.fault = undefined;
  await expect(get(host.url, { out, release: "2026-10-21.0" })).rejects.toThrow(
    /contains an unfinished extract of box .* of release 2026-09-23.0; finish it, choose another --out, or use --force$/,
  );
  const types = ["place"] as const;
  await expect(get(host.url, { out, types: [...types] })).rejects.toThrow("contains an unfinished extract");
  // It continues with its release, even if there is a newer one.
  await get(host.url, { out });
  expect(JSON.parse(await readFile(join(out, "extract.json"), "utf8")).release).toBe("2026-09-23.0");
});

test("an unknown release is reported with the available ones", async () => {
  await expect(get(mirror, { release: "2026-08-19.0" })).rejects.toThrow(
    /catalog.json: no release 2026-08-19.0, it has 2026-09-23.0, 2026-10-21.0$/,
  );
  await expect(get(mirror, { types: ["water"] })).rejects.toThrow(
    "release 2026-10-21.0 has no water, it has place, address",
  );
  await expect(get(await newFolder())).rejects.toThrow(/catalog.json: no such file$/);
  expect(existsSync(join(mirror, ".get"))).toBe(false);
});
