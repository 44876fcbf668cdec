/** The x-ray: bboxes of the partitions that the last search read. @module */
import { signal } from "@preact/signals";
import type * as GeoJSON from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import { boxRing } from "../../../data/format/bbox.ts";
import type { AnswerReport } from "../../hosts/browser/protocol/index.ts";
import type { Palette } from "../../map/palette.ts";

export const XRAY_SOURCE = "xray";

export const isXrayOn = signal(false);

/** Returns a box for each partition with its origin, and whether only its points were read. */
export function xrayShapes(report: Pick<AnswerReport, "files"> | undefined): GeoJSON.FeatureCollection {
  const features = (report?.files ?? []).flatMap(({ path, bbox, from }): GeoJSON.Feature[] => {
    const kind = kindOf(path);
    if (!bbox || (kind !== "location" && kind !== "points")) return [];
    const geometry: GeoJSON.Polygon = { type: "Polygon", coordinates: [boxRing(bbox)] };
    return [{ type: "Feature", geometry, properties: { from, kind } }];
  });
  return { type: "FeatureCollection", features };
}

/** Returns the layers: lines are solid where rows were read, dashed for points only, and stronger for the network. */
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

/** Returns the kind of a file of the dataset: its run or part of the index. */
export function kindOf(path: string): FileKind {
  if (path === "manifest.json") return "manifest";
  const own = /^[^/]+(\/_[a-z]+\/)/.exec(path)?.[1];
  return FOLDERS.find(([folder]) => (own ? own === folder : path.includes(folder)))?.[1] ?? "term";
}

/** Returns files and bytes by origin, the slowest first, without empty ones. */
export function byOrigin(files: readonly ReadFile[]): { from: ReadFile["from"]; files: number; bytes: number }[] {
  return (["network", "cache", "memory"] as const).flatMap((from) => {
    const own = files.filter((file) => file.from === from);
    return own.length > 0 ? [{ from, files: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }] : [];
  });
}

/** Returns the files, with the ranges of one file from the same origin combined. */
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
