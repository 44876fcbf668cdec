import { beforeAll, expect, test } from "vitest";
import type { Geometry, Position } from "../../../data/format/geometry.ts";
import { polygonContains } from "../../../data/format/representative-point.ts";
import { type CountryOutline, packageOutlines } from "../../overture/borders/index.ts";
import { readParquet } from "../../testing/read-parquet.ts";
import { coverOutlines } from "./cover.ts";
import { locateCountry } from "./locate.ts";
import { nearestOutline } from "./offshore.ts";
import { makeOutlines } from "./outlines.ts";

let world: CountryOutline[];

beforeAll(async () => {
  const files = ["world", "monaco", "hongkong"].map((name) => `data/sample/${name}/division_area.parquet`);
  const rows = (await Promise.all(files.map(readParquet))).flat();
  world = rows
    .filter(({ subtype }) => subtype === "country" || subtype === "dependency")
    .map(({ country, geometry }) => ({ code: String(country), geometry: geometry as Geometry }));
});

function square(code: string, west: number, south: number, size: number): CountryOutline {
  const [east, north] = [west + size, south + size];
  const ring: Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { code, geometry: { type: "Polygon", coordinates: [ring] } };
}

function holds({ geometry }: CountryOutline, point: Position): boolean {
  if (geometry.type === "Polygon") return polygonContains(geometry.coordinates, point);
  return geometry.type === "MultiPolygon" && geometry.coordinates.some((rings) => polygonContains(rings, point));
}

/** Half of the positions are random, half are close to borders, where errors are likely. */
function* positions(outlines: readonly CountryOutline[], count: number): Generator<Position> {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let i = 0; i < count; i++) {
    yield [random() * 360 - 180, random() * 180 - 90];
    const { geometry } = outlines[Math.floor(random() * outlines.length)] as CountryOutline;
    const ring =
      geometry.type === "Polygon"
        ? geometry.coordinates[0]
        : geometry.type === "MultiPolygon"
          ? geometry.coordinates[0]?.[0]
          : [];
    const near = ring?.[Math.floor(random() * ring.length)];
    if (near) yield [near[0] + (random() - 0.5) / 50, Math.max(-90, near[1] + (random() - 0.5) / 50)];
  }
}

test.each(["the sample's outlines", "the package's outlines"])(
  "the cover gives the same result as a plain loop over %s",
  (which) => {
    const outlines = which.startsWith("the sample") ? world : packageOutlines();
    const { areas } = makeOutlines(outlines);
    const find = coverOutlines(makeOutlines(outlines));
    let found = 0;
    for (const point of positions(outlines, 400)) {
      const holding = outlines
        .map((outline, i) => ({ ...outline, area: areas[i] ?? 0 }))
        .filter((outline) => holds(outline, point));
      holding.sort((a, b) => a.area - b.area || (a.code < b.code ? -1 : 1));
      expect(find(point), String(point)).toBe(holding[0]?.code);
      if (holding[0]) found++;
    }
    expect(found).toBeGreaterThan(200);
  },
);

test("of overlapping outlines the smallest wins, of equal ones the lowest code, and on an edge the lowest code", () => {
  const find = coverOutlines(
    makeOutlines([square("LL", 0, 0, 10), square("SS", 2, 2, 2), square("AA", 20, 0, 5), square("BB", 20, 0, 5)]),
  );
  expect(find([3, 3])).toBe("SS");
  expect(find([5, 5])).toBe("LL");
  expect(find([22, 2])).toBe("AA");
  const neighbours = coverOutlines(makeOutlines([square("RR", 1, 0, 1), square("EE", 0, 0, 1)]));
  expect(neighbours([1, 0.5])).toBe("EE");
  expect(neighbours([0.5, 0])).toBe("EE");
  expect(neighbours([3, 3])).toBe(undefined);
});

test("positions within twelve nautical miles count, also over the antimeridian, and the lowest code of equals wins", () => {
  const nearest = nearestOutline(
    makeOutlines([square("NE", 0, 0, 1), square("WE", -180, 10, 1), square("NA", 0, 1.2, 1)]),
  );
  const degree = 22_224 / ((6_371_008.8 * Math.PI) / 180);
  expect(nearest([0.5, -degree * 0.999])).toBe("NE");
  expect(nearest([0.5, -degree * 1.001])).toBe(undefined);
  expect(nearest([179.9, 10.5])).toBe("WE");
  expect(nearest([0.5, 1.09])).toBe("NE");
  expect(nearest([0.5, 1.11])).toBe("NA");
  const equals = nearestOutline(makeOutlines([square("ZA", 0, 0, 1), square("AZ", 0, 0, 1)]));
  expect(equals([1.1, 0.5])).toBe("AZ");
});

test("the order is: declared country, sources, package, nearest outline, no country", () => {
  const locate = locateCountry([square("XA", 7, 43, 0.01)], packageOutlines());
  expect(locate([7.005, 43.005], null)).toBe("XA");
  expect(locate([7.005, 43.005], "de")).toBe("DE");
  expect(locate([7.005, 43.005], "Germany")).toBe("XA");
  expect(locate([2.35, 48.85], null)).toBe("FR");
  expect(locate([-105.27, 40.01], null)).toBe("US");
  expect(locate([114.17, 22.3], null)).toBe("HK");
  expect(locate([-66.1, 18.4], null)).toBe("PR");
  expect(locate([-130, -40], null)).toBe("ZZ");
});

test("the package has an outline for every country, under official codes only", () => {
  const codes = new Set(packageOutlines().map(({ code }) => code));
  expect(codes.size).toBeGreaterThan(245);
  for (const code of ["GB", "XK", "BQ", "SJ", "UM"]) expect(codes).toContain(code);
  for (const code of ["AC", "IC", "EA", "FX", "UN"]) expect(codes).not.toContain(code);
});
