/**
 * FlatGeobuf: reads the indexed file by HTTP Range, then computes distances.
 * @module
 */
import { deserialize } from "flatgeobuf/lib/mjs/geojson.js";
import { boxAround, type PeerRow, pageOfCircle } from "../circle.ts";
import type { Peer } from "../question.ts";
import { fileOf } from "./rows.ts";

/** The reader opens the file for each question, because it has no other interface. */
export function openFlatgeobuf(url: string): Peer {
  return {
    async answer(question) {
      if (!("radiusMeters" in question)) throw new Error("FlatGeobuf has no index but that of boxes");
      const [minX, minY, maxX, maxY] = boxAround(question);
      const rows: PeerRow[] = [];
      for await (const { geometry, properties } of deserialize(url, { rect: { minX, minY, maxX, maxY } })) {
        if (geometry.type !== "Point") continue;
        const [lon = 0, lat = 0] = geometry.coordinates;
        rows.push({ ...properties, id: String(properties?.id), lon, lat });
      }
      const page = pageOfCircle(rows, question);
      fileOf(page.rows, question.format);
      return { total: page.total, ids: async () => page.rows.map(({ id }) => id) };
    },
  };
}
