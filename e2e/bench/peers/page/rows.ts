/**
 * Writes rows of peers to the bytes of a file, as people do without a library.
 * @module
 */
import type { PeerRow } from "../circle.ts";
import type { ExportFormat } from "../question.ts";

/** Returns the file; undefined if no format is requested. */
export function fileOf(rows: readonly PeerRow[], format: ExportFormat | undefined): Blob | undefined {
  return format && new Blob([WRITERS[format](rows)]);
}

const WRITERS: Readonly<Record<ExportFormat, (rows: readonly PeerRow[]) => string>> = {
  json: (rows) => JSON.stringify(rows),
  geojson: (rows) => {
    const features = rows.map(({ lon, lat, ...properties }) => {
      return { type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] }, properties };
    });
    return JSON.stringify({ type: "FeatureCollection", features });
  },
  csv: (rows) => {
    const [first] = rows;
    if (!first) return "";
    const names = Object.keys(first);
    return [names.join(","), ...rows.map((row) => Object.values(row).map(quote).join(","))].join("\n");
  },
};

function quote(value: unknown): string {
  const text = String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
