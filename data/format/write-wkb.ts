/**
 * Writes geometries as WKB.
 * @module
 */
import { GEOMETRY_CODES, type Geometry, type Position } from "./geometry.ts";

/** The geometry as WKB of either byte order. */
export function writeWkb(geometry: Geometry, littleEndian = true): Uint8Array {
  const bytes: number[] = [];
  const scratch = new DataView(new ArrayBuffer(8));

  const put = (count: number) => {
    for (let i = 0; i < count; i++) bytes.push(scratch.getUint8(i));
  };
  const uint32 = (value: number) => {
    scratch.setUint32(0, value, littleEndian);
    put(4);
  };
  const position = ([lon, lat]: Position) => {
    for (const value of [lon, lat]) {
      scratch.setFloat64(0, value, littleEndian);
      put(8);
    }
  };
  const list = <T>(items: readonly T[], write: (item: T) => void) => {
    uint32(items.length);
    for (const item of items) write(item);
  };
  const positions = (line: readonly Position[]) => list(line, position);

  function write(geometry: Geometry): void {
    bytes.push(littleEndian ? 1 : 0);
    uint32(GEOMETRY_CODES[geometry.type]);
    switch (geometry.type) {
      case "Point":
        position(geometry.coordinates);
        break;
      case "LineString":
        positions(geometry.coordinates);
        break;
      case "Polygon":
        list(geometry.coordinates, positions);
        break;
      case "MultiPoint":
        list(geometry.coordinates, (coordinates) => write({ type: "Point", coordinates }));
        break;
      case "MultiLineString":
        list(geometry.coordinates, (coordinates) => write({ type: "LineString", coordinates }));
        break;
      case "MultiPolygon":
        list(geometry.coordinates, (coordinates) => write({ type: "Polygon", coordinates }));
        break;
      case "GeometryCollection":
        list(geometry.geometries, write);
        break;
    }
  }
  write(geometry);
  return Uint8Array.from(bytes);
}
