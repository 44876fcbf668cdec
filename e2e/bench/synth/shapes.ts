/**
 * Moved and rotated shapes of the sample: outlines and lines with real corners, sizes and lengths.
 * @module
 */

const METERS_PER_DEGREE = 111_195;

/** SQL of a shape's outer ring or line as points in metres east and north of the box's middle. */
export function outlineSql(geometry: string, bbox: string): string {
  const middle = (low: string, high: string): string => `((${bbox}.${low} + ${bbox}.${high}) / 2)`;
  const [lon, lat] = [middle("xmin", "xmax"), middle("ymin", "ymax")];
  const points = `string_split(regexp_extract(ST_AsText(${geometry}), '\\(([^()]+)\\)', 1), ', ')`;
  const part = (index: number): string => `split_part(point, ' ', ${index})::DOUBLE`;
  return `list_transform(${points}, lambda point: struct_pack(
    east := (${part(1)} - ${lon}) * ${METERS_PER_DEGREE} * cos(radians(${lat})),
    north := (${part(2)} - ${lat}) * ${METERS_PER_DEGREE}))`;
}

/**
 * SQL of the columns `xs` and `ys`: the points of `outline` in degrees around the row's `x` and `y`, rotated by `angle`
 * and scaled by `scale`.
 */
export const MOVED_SQL = `
  list_transform(outline, lambda p: least(greatest(x + (p.east * turn_east - p.north * turn_north) / (${METERS_PER_DEGREE} * cos(radians(y))), -180), 180)::DECIMAL(10, 7)) AS xs,
  list_transform(outline, lambda p: (y + (p.east * turn_north + p.north * turn_east) / ${METERS_PER_DEGREE})::DECIMAL(10, 7)) AS ys`;

/** SQL of the columns `turn_east` and `turn_north` that rotate and scale a shape. */
export function turnSql(angle: string, scale: string): string {
  return `${scale} * cos(2 * pi() * ${angle}) AS turn_east, ${scale} * sin(2 * pi() * ${angle}) AS turn_north`;
}

const POINTS_SQL = "array_to_string(list_transform(list_zip(xs, ys), lambda p: p[1] || ' ' || p[2]), ', ')";

/** SQL of the moved shape as GEOMETRY. */
export const POLYGON_SQL = `('POLYGON((' || ${POINTS_SQL} || '))')::GEOMETRY`;
export const LINE_SQL = `('LINESTRING(' || ${POINTS_SQL} || ')')::GEOMETRY`;

/** SQL of the moved shape's box. */
export const SHAPE_BBOX_SQL = `struct_pack(xmin := list_min(xs)::DOUBLE, xmax := list_max(xs)::DOUBLE,
  ymin := list_min(ys)::DOUBLE, ymax := list_max(ys)::DOUBLE)`;
