/** Computes what a host has to upload for a new release, and what a reader has to download. @module */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { COLLECTION_NAMES, type CollectionName } from "../../../data/format/collections.ts";
import type { Manifest } from "../../../data/format/manifest.ts";
import type { SliceKind } from "../../../data/format/paths.ts";
import { type HeldSlice, readManifest, slicesOf } from "../../builder/index/index.ts";

export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** How one kind of slice of a collection differs between two datasets. */
export interface DiffLine {
  readonly collection: CollectionName;
  readonly what: SliceKind;
  /**
   * Rows of all slices of this kind in the old and the new dataset. For terms, rows are postings (row numbers of a
   * term).
   */
  readonly rows: { readonly old: number; readonly new: number };
  /** Packs (files) that only the new dataset has: a host has to receive them. */
  readonly uploaded: Amount;
  /** Packs that only the old dataset has. */
  readonly removed: Amount;
  /** Slices of the new dataset that the old one lacks, by SHA-256: a reader has to download them. */
  readonly fetched: Amount;
  /** All packs of the new dataset. */
  readonly packs: Amount;
  /** All slices of the new dataset with different content. */
  readonly slices: Amount;
}

/**
 * Compares two datasets. Returns one line for each kind of slice of each collection of Overture, by collection; tables
 * of users are left out. Throws if a folder is not a dataset.
 */
export async function diffDatasets(older: string, newer: string): Promise<DiffLine[]> {
  const [before, after] = [await readManifest(older), await readManifest(newer)];
  const lines: DiffLine[] = [];
  for (const name of COLLECTION_NAMES) {
    const [old, now] = [await readKinds(older, name, before), await readKinds(newer, name, after)];
    for (const what of new Set([...now.keys(), ...old.keys()])) {
      lines.push({ collection: name, what, ...compare(old.get(what) ?? NOTHING, now.get(what) ?? NOTHING) });
    }
  }
  return lines;
}

interface Kind {
  rows: number;
  /** Bytes of packs by path. */
  readonly packs: Map<string, number>;
  /** Bytes of slices by SHA-256. */
  readonly slices: Map<string, number>;
}

const NOTHING: Kind = { rows: 0, packs: new Map(), slices: new Map() };

function compare(old: Kind, now: Kind): Omit<DiffLine, "collection" | "what"> {
  return {
    rows: { old: old.rows, new: now.rows },
    uploaded: without(now.packs, old.packs),
    removed: without(old.packs, now.packs),
    fetched: without(now.slices, old.slices),
    packs: without(now.packs, new Map()),
    slices: without(now.slices, new Map()),
  };
}

function without(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): Amount {
  const left = [...some].filter(([key]) => !others.has(key));
  return { count: left.length, bytes: left.reduce((sum, [, bytes]) => sum + bytes, 0) };
}

async function readKinds(dataset: string, name: CollectionName, manifest: Manifest): Promise<Map<SliceKind, Kind>> {
  const kinds = new Map<SliceKind, Kind>();
  const collection = manifest.collections[name];
  if (!collection) return kinds;
  const take = async ({ kind, path, sha256, bytes, rows }: HeldSlice): Promise<void> => {
    const known = kinds.get(kind) ?? { rows: 0, packs: new Map(), slices: new Map() };
    kinds.set(kind, known);
    known.rows += rows;
    known.slices.set(sha256, bytes);
    if (!known.packs.has(path)) known.packs.set(path, (await stat(join(dataset, path))).size);
  };
  for await (const slice of slicesOf(dataset, name, collection)) await take(slice);
  return kinds;
}
