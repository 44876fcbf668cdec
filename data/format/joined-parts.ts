/**
 * Joins the parts of a long geometry to TWKB.
 *
 * @module
 */
import { GEOMETRY_CODES } from "./geometry.ts";
import { isPolygonal, joinPaths, type PartTable, type Path } from "./geometry-parts.ts";
import { TWKB_PRECISION_BITS } from "./twkb.ts";
import { ByteWriter } from "./varint.ts";

/**
 * Returns the TWKB of a long geometry. `bytesOf` returns the bytes of a part by its index in the table, or undefined to
 * leave it out, as in `joinPaths`.
 */
export function joinParts(table: PartTable, bytesOf: (part: number) => Uint8Array | undefined): Uint8Array {
  const { kind } = table;
  const members: Path[][] = [];
  for (const path of joinPaths(table, bytesOf)) {
    if (path.startsMember) members.push([path]);
    else members.at(-1)?.push(path);
  }
  const out = new ByteWriter();
  out.raw(Uint8Array.of(TWKB_PRECISION_BITS | kind, 0));
  const isSingle = kind === GEOMETRY_CODES.LineString || kind === GEOMETRY_CODES.Polygon;
  // A single line or polygon of which nothing was read is empty.
  if (!isSingle || members.length === 0) out.varint(members.length);
  let last: readonly [number, number] = [0, 0];
  for (const member of members) {
    if (isPolygonal(kind)) out.varint(member.length);
    for (const { vertices } of member) {
      out.varint(vertices.length / 2);
      last = writeSteps(out, vertices, last);
    }
  }
  return out.bytes();
}

/**
 * Writes vertices (longitude and latitude in units of 1e-7 degrees, alternating), each as the difference from the one
 * before, the first from `from`. Returns the last vertex, or `from` if there is none.
 */
export function writeSteps(
  out: ByteWriter,
  vertices: readonly number[],
  from: readonly [number, number],
): readonly [number, number] {
  let [lastX, lastY] = from;
  for (let i = 0; i < vertices.length; i += 2) {
    const [x = 0, y = 0] = [vertices[i], vertices[i + 1]];
    out.signed(x - lastX);
    out.signed(y - lastY);
    [lastX, lastY] = [x, y];
  }
  return [lastX, lastY];
}
