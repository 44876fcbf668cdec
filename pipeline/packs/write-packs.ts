import type { CollectionName } from "../../data/format/collections.ts";
import type { Slice } from "../../data/format/manifest.ts";
import { type PackKind, packPath } from "../../data/format/paths.ts";
import { cutByHash } from "./cut-by-hash.ts";
import { createPack } from "./pack-writer.ts";

export interface PackPlace {
  readonly folder: string;
  readonly collection: CollectionName;
  readonly kind: PackKind;
}

/** Writes the slices into one pack; returns where each stands, in order. */
export async function writePack(
  { folder, collection, kind }: PackPlace,
  slices: readonly Uint8Array[],
): Promise<Slice[]> {
  if (slices.length === 0) return [];
  const writer = await createPack(folder);
  const written = [];
  for (const bytes of slices) written.push(await writer.add(bytes));
  const pack = await writer.finish((name) => packPath(collection, kind, name));
  return written.map((slice) => ({ ...slice, pack }));
}

/** A slice that is still to be given a pack. */
export interface LooseSlice<Node> {
  readonly bytes: Uint8Array;
  /** Says which slice it is, from release to release. */
  readonly key: string;
  readonly node: Node;
}

/** Puts neighbouring slices together into packs of at most so many bytes, as they come; returns their nodes. */
export async function writePacks<Node>(
  place: PackPlace,
  slices: AsyncIterable<LooseSlice<Node>> | Iterable<LooseSlice<Node>>,
  packBytes: number,
): Promise<(Node & Slice)[]> {
  const made: (Node & Slice)[] = [];
  let waiting: LooseSlice<Node>[] = [];
  let waitingBytes = 0;
  const put = async (count: number): Promise<void> => {
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    const written = await writePack(
      place,
      taken.map(({ bytes }) => bytes),
    );
    for (const [index, slice] of written.entries()) {
      waitingBytes -= slice.bytes;
      made.push({ ...(taken[index] as LooseSlice<Node>).node, ...slice });
    }
  };
  for await (const slice of slices) {
    waiting.push(slice);
    waitingBytes += slice.bytes.length;
    while (waitingBytes > packBytes && waiting.length > 1) {
      const [first] = cutByHash(
        waiting.map(({ bytes, key }) => ({ weight: bytes.length, key })),
        packBytes,
      );
      await put(first?.end ?? 1);
    }
  }
  if (waiting.length > 0) await put(waiting.length);
  return made;
}
