import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readManifestFile, writeManifestFile } from "../../data/format/manifest-file.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { keyText, signaturePath } from "../../data/format/signature.ts";
import { readSigningKey, type SigningKey, signDataset, writeNewKey } from "../../pipeline/tools/sign/index.ts";
import { randomFrom } from "../engine/testing/random.ts";
import { type CairnError, type OpenOptions, open, type ReadBytes } from "./index.ts";
import { folder } from "./node.ts";
import { pinned } from "./pinned.ts";

const VECTORS = "data/spec/vectors/dataset";
/** Hosts are opened this often. */
const CASES = Number(process.env.CAIRN_SIGNATURE_CASES ?? 400);

type Files = ReadonlyMap<string, Uint8Array>;

interface Release {
  readonly name: string;
  readonly sequence: number;
  readonly files: Files;
}

let scratch: string;
let own: SigningKey;
let foreign: SigningKey;
let key: string;
let releases: readonly Release[];
/** The first two releases, signed by another key. */
let others: readonly Release[];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "cairn-signed-"));
  for (const name of ["own", "foreign"]) await writeNewKey(join(scratch, `${name}.pem`), "ed25519");
  own = await readSigningKey(join(scratch, "own.pem"));
  foreign = await readSigningKey(join(scratch, "foreign.pem"));
  key = keyText(own.public);
  releases = await Promise.all([1, 2, 3, 4].map((sequence) => signed(`r${sequence}`, sequence, own)));
  others = await Promise.all([1, 2].map((sequence) => signed(`foreign${sequence}`, 100 + sequence, foreign)));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** A release of the vectors, and its signature. */
async function signed(name: string, sequence: number, by: SigningKey): Promise<Release> {
  const dataset = join(scratch, name);
  await cp(VECTORS, dataset, { recursive: true });
  const before = await readManifestFile(await readFile(join(dataset, "manifest.json")));
  const manifest = await writeManifestFile({ ...before, release: name });
  await writeFile(join(dataset, "manifest.json"), manifest);
  const { path } = await signDataset({ dataset, key: by, signer: "Acme", sequence, nowSeconds: 1_800_000_000 });
  return {
    name,
    sequence,
    files: new Map([
      ["manifest.json", manifest],
      [path, await readFile(join(dataset, path))],
    ]),
  };
}

/** Files of a release, and of the vectors. */
function host(...files: readonly Files[]): ReadBytes {
  const vectors = folder(VECTORS);
  return async (path, offset, length) => {
    const found = files.find((some) => some.has(path))?.get(path);
    if (found) return found;
    if (path === "manifest.json" || path.startsWith("kept/")) throw new Error(`${path} is missing`);
    return vectors(path, offset, length);
  };
}

const release = (index: number) => releases[index] as Release;
const refused = (source: ReadBytes, options: OpenOptions) =>
  open(source, options).then(
    () => undefined,
    ({ name, code, message }: CairnError) => ({ name, code, message }),
  );

test("a signed dataset opens with its key, and says who signed it", async () => {
  const dataset = await open(host(release(0).files), {
    pinned: pinned([keyText(foreign.public), key], { minSequence: 1 }),
  });
  expect(dataset.release).toBe("r1");
  expect(dataset.signature).toEqual({
    keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
    signer: "Acme",
    sequence: 1,
    signedAt: new Date("2027-01-15T08:00:00Z"),
  });
  const rows = await dataset.search("place", {});
  expect(rows).toEqual(await (await open(folder(VECTORS))).search("place", {}));
  expect(rows.total).toBeGreaterThan(0);
});

test("without a key no signature is read", async () => {
  const asked: string[] = [];
  const source = host(release(0).files);
  const dataset = await open(async (path, ...range) => {
    asked.push(path);
    return source(path, ...range);
  });
  expect(asked).toEqual(["manifest.json"]);
  expect(dataset.signature).toBeUndefined();
});

test("unsigned, foreign and older releases are refused with a code and in words", async () => {
  const unsigned = new Map([...release(0).files].slice(0, 1));
  const code = "CAIRN_E_SIGNATURE";
  expect(await refused(host(unsigned), { pinned: pinned(key) })).toMatchObject({
    code,
    message: expect.stringMatching(/^the dataset is refused: no signature: kept\/\w{16}\.sig cannot be read/),
  });
  expect(await refused(host((others[0] as Release).files), { pinned: pinned(key) })).toMatchObject({
    name: "CairnError",
    code,
    message: expect.stringMatching(
      /^the dataset is refused: manifest\.json is signed by the key \w{16}, expected \w{16}$/,
    ),
  });
  expect(await refused(host(release(1).files), { pinned: pinned(key, { minSequence: 3 }) })).toMatchObject({
    code,
    message: expect.stringContaining("has the sequence 2, expected more than 2: the host sends an older release"),
  });
});

test("invalid keys and sequences are refused", () => {
  expect(() => pinned("")).toThrow(new RangeError("0 keys, expected 1 to 8"));
  expect(() => pinned("ed25519:AA")).toThrow(/key "ed25519:AA", expected/);
  for (const minSequence of [-1, 0.5, Number.NaN])
    expect(() => pinned(key, { minSequence })).toThrow(/^minSequence is /);
});

test("a release that is published between two requests is not an error", async () => {
  let current = release(0);
  const source = host(...releases.map(({ files }) => files));
  const changing: ReadBytes = async (path) => {
    // an atomic host has only the files of the current release
    const found = current.files.get(path);
    if (path === "manifest.json") current = release(1);
    return found ?? Promise.reject(new Error(`${path} is missing`));
  };
  expect((await open(changing, { pinned: pinned(key) })).release).toBe("r2");
  // a host that keeps signatures answers for the manifest that the reader has
  expect((await open(source, { pinned: pinned(key) })).release).toBe("r1");
});

test("random, replayed, rolled back and mixed hosts: no wrong release opens", async () => {
  const random = randomFrom(2027);
  const all = [...releases, ...others];
  const known = new Map<string, Release>();
  for (const one of releases) known.set(await sha256Of(one.files.get("manifest.json") as Uint8Array), one);
  let minSequence = 1;
  let opened = 0;
  for (let round = 0; round < CASES; round++) {
    if (random.below(20) === 0) minSequence = 1;
    const [first, second] = [random.of(all), random.of(all)];
    const manifest = first.files.get("manifest.json") as Uint8Array;
    const [path, file] = [...first.files].at(-1) as [string, Uint8Array];
    const [, wrongFile] = [...second.files].at(-1) as [string, Uint8Array];
    const kind = random.of(["whole", "signature of another", "flipped manifest", "flipped signature", "unsigned"]);
    const flipped = (bytes: Uint8Array) => {
      const copy = Uint8Array.from(bytes);
      const at = random.below(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
      return copy;
    };
    const sent = kind === "flipped manifest" ? flipped(manifest) : Uint8Array.from(manifest);
    const signature = kind === "signature of another" ? wrongFile : kind === "flipped signature" ? flipped(file) : file;
    const files = new Map<string, Uint8Array>([["manifest.json", sent]]);
    if (kind !== "unsigned") for (const at of [path, signaturePath(await sha256Of(sent))]) files.set(at, signature);
    const rightful = known.get(await sha256Of(sent));
    const mayOpen =
      rightful !== undefined && files.get(path)?.toString() === file.toString() && rightful.sequence >= minSequence;
    try {
      const { signature: by, release: name } = await open(host(files), { pinned: pinned(key, { minSequence }) });
      expect([mayOpen, name], `round ${round}: ${kind}`).toEqual([true, rightful?.name]);
      opened++;
      minSequence = by?.sequence ?? Number.NaN;
    } catch (error) {
      const { code } = error as CairnError;
      expect([mayOpen, code], `round ${round}: ${kind}: ${error}`).toEqual([false, "CAIRN_E_SIGNATURE"]);
    }
  }
  expect(opened).toBeGreaterThan(CASES / 100);
});
