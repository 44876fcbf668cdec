/**
 * The releases of a simulation: made once, with signatures. Each changes, moves, adds and removes rows of the one before it.
 * @module
 */
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readManifestFile } from "../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import {
  keyIdOf,
  keyText,
  type ManifestSignature,
  type PublicKey,
  signaturePath,
  signedBytes,
  writeSignatures,
} from "../../data/format/signature.ts";
import { makeDataset } from "../../web/engine/testing/made-up-dataset.ts";
import type { OracleRow } from "../../web/engine/testing/oracle.ts";
import { type Random, randomFrom } from "../../web/engine/testing/random.ts";

export interface Row extends OracleRow {
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] };
  readonly name: string;
}

export interface Release {
  readonly name: string;
  readonly rows: readonly Row[];
  /** All files by path, with the manifest and its signature. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of each slice. */
  readonly hashes: ReadonlySet<string>;
  readonly sha256: string;
}

export interface Releases {
  /** In the order of their sequences, signed by `key`. */
  readonly own: readonly Release[];
  /** Signed by another key, also in the name of `key`, with a higher sequence. */
  readonly foreign: Release;
  readonly key: string;
}

/** Where rows are: a few kilometres around each of these points. */
export const TOWNS = [
  { country: "AA", lon: 7.4, lat: 43.7 },
  { country: "AA", lon: 7.9, lat: 43.9 },
  { country: "BB", lon: 10.2, lat: 46.1 },
] as const;
const SPREAD_DEG = 0.04;
const ROWS_PER_TOWN = 7;
const FIRST_WORDS = ["Alpha", "Bakery", "Cafe", "Delta", "Eiscafe", "Forum"];
const SECOND_WORDS = ["Nord", "Market", "Garden", "Ocean", "Palace"];
/** Many small files: a session then meets each kind of file. */
const OPTIONS = { rowsPerPartition: 4, rowsPerSegment: 8, slicesPerChunk: 2, rowsPerGroup: 2, nodesPerPage: 4 };
const TERMS_PER_SLICE = 16;
const SEED = 20261129;

/** Makes three releases and a foreign one. */
export async function makeReleases(): Promise<Releases> {
  const random = randomFrom(SEED);
  const name = () => `${random.of(FIRST_WORDS)} ${random.of(SECOND_WORDS)} ${random.below(40)}`;
  let count = 0;
  const newRow = (town: (typeof TOWNS)[number]): Row => ({
    collection: "place",
    id: `row-${String(random.below(1e6)).padStart(6, "0")}-${count++}`,
    country: town.country,
    name: name(),
    geometry: { type: "Point", coordinates: near(random, town) },
  });
  const changed = (rows: readonly Row[]): Row[] => {
    const kept = rows.filter(() => random.below(10) > 0);
    const next = kept.map((row): Row => {
      const kind = random.below(8);
      if (kind === 0) return { ...row, name: name() };
      const town = TOWNS.find(({ country }) => country === row.country) ?? TOWNS[0];
      return kind === 1 ? { ...row, geometry: { type: "Point", coordinates: near(random, town) } } : row;
    });
    return [...next, ...TOWNS.map(newRow)];
  };
  const first = TOWNS.flatMap((town) => Array.from({ length: ROWS_PER_TOWN }, () => newRow(town)));
  const second = changed(first);
  const third = changed(second);
  const [own, other] = [signerOf("cairn simulator"), signerOf("another signer")];
  const [one, two, three, foreign] = await Promise.all([
    makeRelease("one", first, { signer: own, sequence: 1 }),
    makeRelease("two", second, { signer: own, sequence: 2 }),
    makeRelease("three", third, { signer: own, sequence: 3 }),
    makeRelease("foreign", changed(third), { signer: other, sequence: 9, forged: own.key }),
  ]);
  return { own: [one, two, three], foreign, key: keyText(own.key) };
}

function near(random: Random, { lon, lat }: { readonly lon: number; readonly lat: number }): [number, number] {
  return [lon + random.spread(SPREAD_DEG), lat + random.spread(SPREAD_DEG)];
}

async function makeRelease(
  name: string,
  rows: readonly Row[],
  { signer, sequence, forged }: { readonly signer: Signer; readonly sequence: number; readonly forged?: PublicKey },
): Promise<Release> {
  const place = rows.map((row) => ({ ...row, values: { names: `{'primary': '${row.name}'}` } }));
  const files = await makeDataset({ place }, { ...OPTIONS, termsPerSlice: TERMS_PER_SLICE, release: name });
  const hashes = new Set(Array.from(files.values(), hashOf));
  const manifest = files.get(MANIFEST_PATH) ?? new Uint8Array();
  const fileHash = hashOf(manifest);
  const signatures = [await signer.sign(fileHash, sequence)];
  if (forged) signatures.push(await signer.sign(fileHash, sequence, forged));
  files.set(signaturePath(fileHash), writeSignatures(signatures));
  return { name, rows, files, hashes, sha256: (await readManifestFile(manifest)).sha256 };
}

type Signer = ReturnType<typeof signerOf>;

/** A key that is the same on every run: PKCS#8 with the hash of the text. */
function signerOf(text: string) {
  const secret = createHash("sha256").update(text).digest();
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), secret]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const key = { type: "ed25519", bytes: Uint8Array.from(Buffer.from(x, "base64url")) } as const;
  return {
    key,
    /** Signs in its own name, or in that of another key. */
    async sign(manifestSha256: string, sequence: number, named: PublicKey = key): Promise<ManifestSignature> {
      const keyId = await keyIdOf(named);
      const facts = { type: "ed25519", keyId, sequence, signedAt: 1_800_000_000, signer: text } as const;
      const bytes = sign(null, signedBytes(facts, manifestSha256), privateKey);
      return { ...facts, bytes: Uint8Array.from(bytes) };
    },
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
