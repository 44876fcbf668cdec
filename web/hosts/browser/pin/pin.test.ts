import { readFile } from "node:fs/promises";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readManifestFile, writeManifestFile } from "../../../../data/format/manifest-file.ts";
import { sha256Of } from "../../../../data/format/sha256.ts";
import {
  keyIdOf,
  keyText,
  SignatureError,
  signaturePath,
  signedBytes,
  writeSignatures,
} from "../../../../data/format/signature.ts";
import { type ByteSource, FetchError } from "../../../engine/index.ts";
import { randomFrom } from "../../../engine/testing/random.ts";
import { openDatasetStorage } from "../storage/index.ts";
import { faultyIndexedDb } from "../testing/faulty-indexed-db.ts";
import { openPin } from "./pin.ts";

const FOLDER = new URL("https://host.example/dataset/");
/** Requests of browsers. */
const CASES = Number(process.env.CAIRN_SIGNATURE_CASES ?? 1000);

interface Release {
  readonly name: string;
  readonly manifest: Uint8Array;
  readonly path: string;
  readonly signature: Uint8Array;
}

type Sign = (name: string, sequence: number) => Promise<Release>;
let before: Awaited<ReturnType<typeof readManifestFile>>;
let key: string;
let newKey: string;
let sign: Sign;
let signNew: Sign;
let signForeign: Sign;
beforeAll(async () => {
  before = await readManifestFile(await readFile("data/spec/vectors/dataset/manifest.json"));
  [[key, sign], [newKey, signNew], [, signForeign]] = await Promise.all([signer(), signer(), signer()]);
});

async function signer(): Promise<[string, Sign]> {
  const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
  const bytes = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const own = { type: "ed25519", bytes } as const;
  const keyId = await keyIdOf(own);
  const sign: Sign = async (name, sequence) => {
    const manifest = await writeManifestFile({ ...before, release: name });
    const sha256 = await sha256Of(manifest);
    const facts = { type: "ed25519", keyId, sequence, signedAt: 1_800_000_000, signer: "Acme" } as const;
    const signed = Uint8Array.from(signedBytes(facts, sha256));
    const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, signed));
    return {
      name,
      manifest,
      path: signaturePath(sha256),
      signature: writeSignatures([{ ...facts, bytes: signature }]),
    };
  };
  return [keyText(own), sign];
}

let stored: Map<string, Response>;
beforeEach(() => {
  stored = new Map();
  const cache = {
    match: async (name: string) => stored.get(name)?.clone(),
    put: async (name: string, response: Response) => void stored.set(name, response),
    keys: async () => [...stored.keys()].map((url) => ({ url })),
    delete: async (name: string) => stored.delete(name),
  };
  vi.stubGlobal("caches", { open: async () => cache });
  vi.stubGlobal("indexedDB", faultyIndexedDb().factory);
});
afterEach(() => vi.unstubAllGlobals());

/** A host whose files can be replaced; `isOff`: no host answers. */
function makeHost(release: Release | undefined) {
  const host = { files: new Map<string, Uint8Array>(), isOff: false, isBlocked: false, asked: [] as string[] };
  const source: ByteSource = {
    name: "host",
    async read(path) {
      host.asked.push(path);
      if (host.isOff || (host.isBlocked && path.endsWith(".sig")))
        throw new FetchError("no answer", { path, cause: new TypeError("network") });
      const found = host.files.get(path);
      if (!found) throw new FetchError(`${path} is missing`, { path, status: 404 });
      return found.slice();
    },
  };
  const serve = (...releases: readonly Release[]) => {
    host.files = new Map(releases.map(({ path, signature }) => [path, signature]));
    const [first] = releases;
    if (first) host.files.set("manifest.json", first.manifest);
  };
  if (release) serve(release);
  return { host, source, serve };
}

/** A page of the browser. Another one shares its stores. */
function openPage(source: ByteSource, keys: string | undefined) {
  const pin = keys === undefined ? undefined : openPin(FOLDER, keys);
  const kept = openDatasetStorage(FOLDER, () => source, { keepAfterMs: 0, pin: pin && (async () => pin) });
  const read = async () => (await readManifestFile(await kept.source.read("manifest.json", { fresh: true }))).release;
  return { pin, kept, read };
}

test("a signed release is read, with its signer; without a pin no signature is asked for", async () => {
  const { host, source } = makeHost(await sign("one", 1));
  const { pin, read } = openPage(source, key);
  expect(await read()).toBe("one");
  const { sha256 } = await readManifestFile(host.files.get("manifest.json") as Uint8Array);
  expect(await pin?.factsOf({ sha256 })).toMatchObject({ signer: "Acme", sequence: 1 });
  expect(await pin?.factsOf({ sha256: "0".repeat(64) })).toBeUndefined();
  host.asked = [];
  await openPage(source, undefined).read();
  expect(host.asked).toEqual(["manifest.json"]);
});

test("unsigned, foreign and older releases are refused by every page of the browser", async () => {
  const [one, two] = [await sign("one", 1), await sign("two", 2)];
  const { source, serve, host } = makeHost(two);
  expect(await openPage(source, key).read()).toBe("two");
  serve(one);
  await expect(openPage(source, key).read()).rejects.toThrow(/has the sequence 1, expected more than 2/);
  serve(await signForeign("three", 3));
  await expect(openPage(source, key).read()).rejects.toThrow(/is signed by the key \w+, expected/);
  host.files.delete(two.path);
  host.files = new Map([["manifest.json", two.manifest]]);
  await expect(openPage(source, key).read()).rejects.toThrow(
    /^manifest.json is not signed: kept\/\w+\.sig is missing$/,
  );
  // a different manifest with a sequence that was seen
  serve(await sign("another two", 2));
  await expect(openPage(source, key).read()).rejects.toThrow(SignatureError);
  serve(await sign("three", 3));
  expect(await openPage(source, key).read()).toBe("three");
});

test.each(["open", "transaction", "get", "put", "commit"] as const)(
  "a signed release is read, and an older one refused, while IndexedDB fails: %s",
  async (failing) => {
    const database = faultyIndexedDb();
    vi.stubGlobal("indexedDB", database.factory);
    database.onOperation = (operation) => {
      if (operation === failing) throw new DOMException(operation, "UnknownError");
    };
    const { source, serve } = makeHost(await sign("two", 2));
    const { read } = openPage(source, key);
    expect(await read()).toBe("two");
    serve(await sign("one", 1));
    await expect(read()).rejects.toThrow(/has the sequence 1, expected more than 2/);
  },
);

test("a release that is published between two requests is read", async () => {
  const [one, two] = [await sign("one", 1), await sign("two", 2)];
  const { source, serve } = makeHost(one);
  const changing: ByteSource = {
    ...source,
    async read(path, options) {
      const bytes = await source.read(path, options);
      if (path === "manifest.json") serve(two);
      return bytes;
    },
  };
  expect(await openPage(changing, key).read()).toBe("two");
});

test("without a network the last accepted release is read, and no other that is stored", async () => {
  const [one, two] = [await sign("one", 1), await signForeign("two", 2)];
  const { source, serve, host } = makeHost(two);
  // before the key was pinned
  expect(await openPage(source, undefined).read()).toBe("two");
  await vi.waitFor(() => expect(stored.size).toBe(1));
  host.isOff = true;
  await expect(openPage(source, key).read()).rejects.toThrow(FetchError);
  host.isOff = false;
  serve(one);
  expect(await openPage(source, key).read()).toBe("one");
  await new Promise((resolve) => setTimeout(resolve, 20));
  serve(two);
  await expect(openPage(source, key).read()).rejects.toThrow(SignatureError);
  host.isOff = true;
  expect(await openPage(source, key).read()).toBe("one");
});

test("a host that answers no signature is like one that does not answer", async () => {
  const [one, two] = [await sign("one", 1), await sign("two", 2)];
  const { source, serve, host } = makeHost(one);
  expect(await openPage(source, key).read()).toBe("one");
  await new Promise((resolve) => setTimeout(resolve, 20));
  serve(two);
  host.isBlocked = true;
  expect(await openPage(source, key).read()).toBe("one");
  host.isBlocked = false;
  expect(await openPage(source, key).read()).toBe("two");
});

test("keys are rotated, and what a lost key signed no longer counts", async () => {
  const { source, serve } = makeHost(await sign("one", 2 ** 37));
  expect(await openPage(source, key).read()).toBe("one");
  serve(await signNew("two", 2));
  await expect(openPage(source, key).read()).rejects.toThrow(SignatureError);
  // both are pinned: the sequence goes on
  await expect(openPage(source, `${key},${newKey}`).read()).rejects.toThrow(/expected more than/);
  expect(await openPage(source, newKey).read()).toBe("two");
  serve(await signNew("one", 1));
  await expect(openPage(source, newKey).read()).rejects.toThrow(/expected more than 2/);
});

test("a file with an older release is vouched for by the host's signature, and only by it", async () => {
  const [one, two, foreign] = [await sign("one", 1), await sign("two", 2), await signForeign("three", 3)];
  const { source, serve } = makeHost(two);
  const { kept, read } = openPage(source, key);
  expect(await read()).toBe("two");
  const older = await readManifestFile(one.manifest);
  await expect(kept.vouch(older)).rejects.toThrow("is not signed");
  serve(two, one, foreign);
  await kept.vouch(older);
  await expect(kept.vouch(await readManifestFile(foreign.manifest))).rejects.toThrow(SignatureError);
  // it is not the current one
  serve(one);
  await expect(openPage(source, key).read()).rejects.toThrow(/expected more than 2/);
  await openPage(source, undefined).kept.vouch(await readManifestFile(foreign.manifest));
});

test("a browser without IndexedDB remembers until the page is closed", async () => {
  vi.stubGlobal("indexedDB", undefined);
  Reflect.deleteProperty(globalThis, "indexedDB");
  const [one, two] = [await sign("one", 1), await sign("two", 2)];
  const { source, serve } = makeHost(two);
  const page = openPage(source, key);
  expect(await page.read()).toBe("two");
  serve(one);
  await expect(page.read()).rejects.toThrow(/expected more than 2/);
  expect(await openPage(source, key).read()).toBe("one");
});

test("pages of a browser that read random hosts at the same time never go back", async () => {
  const random = randomFrom(7);
  const good = await Promise.all(Array.from({ length: 8 }, (_, index) => sign(`good${index}`, 10 + index)));
  const bad = await Promise.all(Array.from({ length: 3 }, (_, index) => signForeign(`bad${index}`, 20 + index)));
  const rank = new Map(good.map(({ name }, index) => [name, index]));
  let highest = -1;
  let accepted = 0;
  for (let round = 0; round < CASES; round += 2) {
    if (random.below(30) === 0) {
      vi.stubGlobal("indexedDB", faultyIndexedDb().factory);
      stored.clear();
      highest = -1;
    }
    const results = await Promise.allSettled(
      [0, 1].map(async () => {
        const release = random.of(random.below(3) === 0 ? bad : good);
        const { host, source } = makeHost(release);
        if (random.below(5) === 0) host.files.set(release.path, random.of([...good, ...bad]).signature);
        return openPage(source, key).read();
      }),
    );
    const ranks = results.flatMap((result) => {
      if (result.status === "fulfilled") return [rank.get(result.value) ?? Number.NaN];
      expect(result.reason).toBeInstanceOf(SignatureError);
      return [];
    });
    for (const one of ranks) expect(one, `round ${round}`).toBeGreaterThanOrEqual(highest);
    accepted += ranks.length;
    highest = Math.max(highest, ...ranks);
  }
  expect(accepted).toBeGreaterThan(CASES / 50);
});
