/**
 * FlatGeobuf: the indexed file by HTTP Range, then distances.
 * @module
 */
import { deserialize } from "flatgeobuf/lib/mjs/geojson.js";
import { answerFrom, boxAround, type Peer, type Point } from "../question.ts";

/** The reader opens the file anew for each question: it has no other interface. */
export function openFlatgeobuf(url: string): Peer {
  return {
    async answer(question) {
      const [minX, minY, maxX, maxY] = boxAround(question);
      const points: Point[] = [];
      for await (const { geometry, properties } of deserialize(url, { rect: { minX, minY, maxX, maxY } })) {
        if (geometry.type !== "Point") continue;
        const [lon = 0, lat = 0] = geometry.coordinates;
        points.push({ id: String(properties?.id), lon, lat });
      }
      return answerFrom(points, question);
    },
  };
}
