/** Draws the bboxes of the partitions that the last search read. @module */
import { signal } from "@preact/signals";
import type * as GeoJSON from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import { boxRing } from "../../../data/format/bbox.ts";
import type { AnswerReport } from "../../hosts/browser/protocol/index.ts";
import type { Palette } from "../../map/palette.ts";

export const XRAY_SOURCE = "xray";

/** Whether the user wants to see them. */
export const isXrayOn = signal(false);

/** Returns a box for each partition that was read, with the origin of its bytes, and whether all or only its points were read. */
export function xrayShapes(report: Pick<AnswerReport, "files"> | undefined): GeoJSON.FeatureCollection {
  const features = (report?.files ?? []).flatMap(({ path, bbox, from }): GeoJSON.Feature[] => {
    const kind = kindOf(path);
    if (!bbox || (kind !== "location" && kind !== "points")) return [];
    const geometry: GeoJSON.Polygon = { type: "Polygon", coordinates: [boxRing(bbox)] };
    return [{ type: "Feature", geometry, properties: { from, kind } }];
  });
  return { type: "FeatureCollection", features };
}

/**
 * Returns the layers of these boxes: solid lines where rows were read, dashed ones for points only, in a stronger colour for the
 * network.
 */
export function xrayLayers(colour: Palette): LayerSpecification[] {
  const line = (kind: string): LayerSpecification => ({
    id: `xray-${kind}`,
    type: "line",
    source: XRAY_SOURCE,
    filter: ["==", ["get", "kind"], kind],
    paint: {
      "line-color": ["match", ["get", "from"], "network", colour.accent, colour.quietText],
      "line-width": 2,
      ...(kind === "points" ? { "line-dasharray": [3, 2] } : {}),
    },
  });
  return [line("points"), line("location")];
}

type ReadFile = AnswerReport["files"][number];
const FILE_KINDS = ["manifest", "page", "location", "points", "records", "term"] as const;
type FileKind = (typeof FILE_KINDS)[number];

const FOLDERS: readonly (readonly [folder: string, kind: FileKind])[] = [
  ["/_pages/", "page"],
  ["/_points/", "points"],
  ["/_records/", "records"],
  ["/_dictionary/", "records"],
  ["/country=", "location"],
];

/**
 * Returns the kind of a file by its path in the dataset: `manifest`, index `page`, `location` (a partition), `points`, `records`, or
 * `term` for all others.
 */
export function kindOf(path: string): FileKind {
  if (path === "manifest.json") return "manifest";
  const own = /^[^/]+(\/_[a-z]+\/)/.exec(path)?.[1];
  return FOLDERS.find(([folder]) => (own ? own === folder : path.includes(folder)))?.[1] ?? "term";
}

/** Returns number and bytes of the files by origin: network, cache, memory. Origins without files are left out. */
export function byOrigin(files: readonly ReadFile[]): { from: ReadFile["from"]; files: number; bytes: number }[] {
  return (["network", "cache", "memory"] as const).flatMap((from) => {
    const own = files.filter((file) => file.from === from);
    return own.length > 0 ? [{ from, files: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }] : [];
  });
}

/** Returns the files. Reads of the same file from the same origin become one, with the sum of rows and bytes. */
export function byPack(files: readonly ReadFile[]): ReadFile[] {
  const packs = new Map<string, ReadFile>();
  for (const file of files) {
    const key = `${file.path} ${file.from}`;
    const known = packs.get(key);
    const rows = (known?.rows ?? 0) + (file.rows ?? 0);
    const bytes = (known?.bytes ?? 0) + file.bytes;
    packs.set(key, { ...(known ?? file), bytes, ...(rows > 0 ? { rows } : {}) });
  }
  return [...packs.values()];
}
