/**
 * Fetches the rows in the visible box from a release of Overture Maps. Their size is measured first. The rows become files of the
 * user. @module
 */
import { computed, effect, signal } from "@preact/signals";
import type { BBox } from "../../../data/format/bbox.ts";
import { OVERTURE_TYPES, type OvertureType } from "../../../data/format/collections.ts";
import { METERS_PER_DEGREE } from "../../../data/format/sphere.ts";
import {
  MOST_RELEASE_BYTES,
  MOST_RELEASE_ROWS,
  MOST_RELEASE_SQUARE_KM,
  type ReleaseProgress,
  type ReleaseSize,
} from "../../hosts/browser/protocol/index.ts";
import { type Path, pathOfType } from "../address/index.ts";
import { addFiles } from "../files/index.ts";
import { shownBox } from "../state/index.ts";
import { reasonOf } from "../text/index.ts";
import { remote } from "../worker/index.ts";

export type Getting =
  | { readonly kind: "measuring" }
  | { readonly kind: "measured"; readonly size: ReleaseSize }
  | { readonly kind: "fetching"; readonly progress: ReleaseProgress }
  | { readonly kind: "fetched"; readonly rows: number }
  | { readonly kind: "tooWide"; readonly squareKm: number }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Progress of a request for rows, or its result; undefined before the first one. A request continues when the panel is closed.
 */
export const getting = signal<Getting | undefined>(undefined);
/** Search paths whose types are fetched. */
export const wantedPaths = signal<readonly Path[]>(["places"]);

/** The visible box, rounded to about a metre, so that the box in the panel is the requested one; undefined without a map. */
export const wantedBox = computed<BBox | undefined>(() => {
  const [west, south, east, north] = shownBox.value ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  return [rounded(west), rounded(south), rounded(east), rounded(north)];
});

function rounded(degrees: number): number {
  return Number(degrees.toFixed(5));
}

/** Returns the URL of the catalogue of releases that the builder of the site allowed; undefined without one. */
export function allowedCatalog(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-overture"]')?.content;
}

// a measurement is valid only for its box
effect(() => {
  const isThere = wantedBox.value !== undefined;
  const kind = getting.peek()?.kind;
  if (isThere && (kind === "measured" || kind === "tooWide")) getting.value = undefined;
});

let asking = new AbortController();

/** Cancels the request, and forgets its result. */
export function cancelGetting(): void {
  asking.abort();
  getting.value = undefined;
}

/** Measures how much the visible box contains, without fetching rows. The result or the error is in `getting`. */
export async function measure(): Promise<void> {
  const [catalog, bbox] = [allowedCatalog(), wantedBox.peek()];
  if (catalog === undefined || !bbox) return;
  const squareKm = squareKmOf(bbox);
  if (squareKm > MOST_RELEASE_SQUARE_KM) {
    getting.value = { kind: "tooWide", squareKm };
    return;
  }
  await ask({ kind: "measuring" }, async (signal) => {
    const size = await remote("measureRelease", { catalog, bbox, types: typesOf(wantedPaths.peek()) }, signal);
    return { kind: "measured", size };
  });
}

/** Fetches what was measured, and opens it as files of the user. The result or the error is in `getting`. */
export async function fetchMeasured({ id, bytes }: ReleaseSize): Promise<void> {
  const start = { bytes: 0, totalBytes: bytes };
  await ask({ kind: "fetching", progress: start }, async (signal) => {
    const { files, rows } = await remote("fetchRelease", id, signal, (progress) => {
      if (!signal.aborted) getting.value = { kind: "fetching", progress };
    });
    if (files.length > 0) await addFiles(files);
    return { kind: "fetched", rows };
  });
}

/** Returns whether the measured bytes or rows exceed the limits. */
export function isTooMuch({ bytes, rows }: ReleaseSize): boolean {
  return bytes > MOST_RELEASE_BYTES || rows > MOST_RELEASE_ROWS;
}

async function ask(first: Getting, work: (signal: AbortSignal) => Promise<Getting>): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  getting.value = first;
  try {
    const next = await work(signal);
    if (!signal.aborted) getting.value = next;
  } catch (error) {
    if (!signal.aborted) getting.value = { kind: "failed", reason: reasonOf(error) };
  }
}

function typesOf(paths: readonly Path[]): OvertureType[] {
  return OVERTURE_TYPES.filter((type) => paths.includes(pathOfType(type)));
}

const KM_PER_DEGREE = METERS_PER_DEGREE / 1000;

function squareKmOf(bbox: BBox): number {
  const [west, south, east, north] = bbox;
  const width = east < west ? east - west + 360 : east - west;
  const middle = ((south + north) / 2) * (Math.PI / 180);
  return width * KM_PER_DEGREE * Math.cos(middle) * (north - south) * KM_PER_DEGREE;
}
