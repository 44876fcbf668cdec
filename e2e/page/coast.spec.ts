/** No road and no building on land is drawn as water, at any zoom. Positions come from the dataset. */
import type { Page } from "@playwright/test";
import type { Position } from "../../data/format/geometry.ts";
import { shareOfWorld } from "../../data/format/tile-id.ts";
import { openDataset } from "../../web/engine/index.ts";
import { folderSource } from "../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { palette } from "../../web/map/palette.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER } from "../support/folders.ts";

// All of Monaco is next to the panel in one view of zoom 14.
const SIZE = { width: 1440, height: 1320 };
const FREE = { x: 440, y: 90, width: 900, height: 1180 };
test.use({ hasMap: true, viewport: SIZE });

const BOX = [7.35, 43.68, 7.5, 43.8] as const;
const CENTRE: Position = [7.4225, 43.7385];
const ZOOMS = [8, 10, 11, 12, 14];
const SAMPLE = 500;
const TILE_PIXELS = 512;
/** In the open sea next to the harbour. */
const AT_SEA: readonly Position[] = [
  [7.4365, 43.7305],
  [7.44, 43.735],
  [7.442, 43.7395],
];

type Line = readonly Position[];

/** Middles of edges of roads and buildings, and the coastlines. */
async function readMonaco(): Promise<{ readonly positions: Position[]; readonly coast: Line[] }> {
  const dataset = openDataset({ source: folderSource(DATASET_FOLDER), decode: decodeParquet });
  const linesOf = async (collection: "segment" | "building" | "water") => {
    const filters = { bbox: BOX, ...(collection === "water" ? { terms: [["class:coastline"]] } : {}) };
    const found = await dataset.search({ collections: [collection], filters, offset: 0, limit: 50_000 });
    return [...found.features(new Set(["subtype"]))].flatMap(({ geometry, properties }): Line[] => {
      if (collection === "segment" && properties.subtype === "water") return [];
      if (geometry.type === "LineString") return [geometry.coordinates];
      return geometry.type === "Polygon" ? geometry.coordinates.slice(0, 1) : [];
    });
  };
  const [roads, buildings, coast] = [await linesOf("segment"), await linesOf("building"), await linesOf("water")];
  const positions = [...roads, ...buildings].flatMap((line) =>
    line.slice(1).map(([x, y], i): Position => [((line[i]?.[0] ?? x) + x) / 2, ((line[i]?.[1] ?? y) + y) / 2]),
  );
  return { positions, coast };
}

function pixelOf([lon, lat]: Position, zoom: number): Position {
  const [x, y] = shareOfWorld({ lon, lat });
  const [left, top] = shareOfWorld({ lon: CENTRE[0], lat: CENTRE[1] });
  const pixels = TILE_PIXELS * 2 ** zoom;
  return [FREE.x + FREE.width / 2 + (x - left) * pixels, FREE.y + FREE.height / 2 + (y - top) * pixels];
}

/** Signed by the side of the nearest coastline: positive on land, which is on its left. All in pixels. */
function pixelsInland([x, y]: Position, coast: readonly Line[]): number {
  let best = { distance: Number.POSITIVE_INFINITY, side: 1 };
  for (const line of coast) {
    for (let i = 1; i < line.length; i++) {
      const [[x1, y1], [x2, y2]] = [line[i - 1] as Position, line[i] as Position];
      const [dx, dy] = [x2 - x1, y2 - y1];
      const share = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
      const distance = Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
      // pixels count downwards
      if (distance < best.distance) best = { distance, side: dx * (y - y1) - dy * (x - x1) < 0 ? 1 : -1 };
    }
  }
  return best.side * best.distance;
}

/** Red, green and blue of some pixels of the page. */
async function coloursAt(page: Page, pixels: readonly Position[]): Promise<number[][]> {
  const shot = (await page.screenshot()).toString("base64");
  return page.evaluate(
    async ({ text, pixels: wanted }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d", { willReadFrequently: true });
      context?.drawImage(picture, 0, 0);
      return wanted.map(([x, y]) => [...(context?.getImageData(x, y, 1, 1).data.slice(0, 3) ?? [])]);
    },
    { text: shot, pixels: pixels.map(([x, y]): [number, number] => [Math.floor(x), Math.floor(y)]) },
  );
}

/** The address whose centre is in the middle of the free part. */
function addressAt(zoom: number): string {
  const pixels = TILE_PIXELS * 2 ** zoom;
  const [left, top] = shareOfWorld({ lon: CENTRE[0], lat: CENTRE[1] });
  const x = left + (SIZE.width / 2 - FREE.x - FREE.width / 2) / pixels;
  const y = top + (SIZE.height / 2 - FREE.y - FREE.height / 2) / pixels;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return `#/places?view=${zoom}/${lat.toFixed(6)}/${((x - 0.5) * 360).toFixed(6)}`;
}

/** Waits until the map does not change any more. */
async function drawn(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Draw a box to search in" })).toBeVisible();
  let before = "";
  await expect
    .poll(
      async () => {
        const now = (await page.screenshot({ clip: FREE })).toString("base64");
        const isSame = now === before;
        before = now;
        return isSame;
      },
      { intervals: [4000, 2000] },
    )
    .toBe(true);
}

const monaco = readMonaco();

for (const colorScheme of ["light", "dark"] as const) {
  test(`roads and buildings of Monaco are on land, ${colorScheme}`, async ({ page, home }) => {
    await page.emulateMedia({ colorScheme });
    const { positions, coast } = await monaco;
    const { water } = palette(colorScheme === "dark");
    const blue = [1, 3, 5].map((from) => Number.parseInt(water.slice(from, from + 2), 16));
    await page.goto(home);
    for (const zoom of ZOOMS) {
      await page.goto(`${home}${addressAt(zoom)}`);
      await drawn(page);
      const waterIn = async (all: readonly Position[]) => {
        const colours = await coloursAt(
          page,
          all.map((position) => pixelOf(position, zoom)),
        );
        const isWater = (colour: readonly number[]) => blue.every((part, i) => Math.abs(part - (colour[i] ?? 0)) <= 4);
        return all.filter((_, i) => isWater(colours[i] ?? []));
      };
      const edge = coast.map((line) => line.map((position) => pixelOf(position, zoom)));
      // a pixel is not sharper than the coast; piers are in the sea
      const every = Math.floor(positions.length / 2000);
      const onLand = positions
        .filter((_, i) => i % every === 0)
        .filter((position) => pixelsInland(pixelOf(position, zoom), edge) > 1.5);
      const step = onLand.length / SAMPLE;
      expect(step, `positions on land at zoom ${zoom}`).toBeGreaterThanOrEqual(1);
      const sample = Array.from({ length: SAMPLE }, (_, i) => onLand[Math.floor(i * step)] as Position);
      expect(await waterIn(sample), `zoom ${zoom}`).toEqual([]);
      if (zoom > 10) expect(await waterIn(AT_SEA), `the sea at zoom ${zoom}`).toEqual(AT_SEA);
    }
  });
}
