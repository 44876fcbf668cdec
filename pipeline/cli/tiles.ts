import { type Command, InvalidArgumentError } from "commander";
import type { BBox } from "../../data/format/bbox.ts";
import { parseBox } from "../area/index.ts";
import { parsed } from "./options.ts";

const DEFAULT_MAX_ZOOM = 14;

interface TilesArguments {
  readonly collection: string;
  readonly pmtiles: string;
  readonly bbox?: BBox;
  readonly maxZoom: number;
}

export function registerTiles(program: Command): void {
  program
    .command("tiles")
    .summary("write vector tiles of a dataset as PMTiles")
    .description("Writes all vector tiles of a collection, or of a search path's collections, as one PMTiles file.")
    .argument("<dataset>", "folder or URL of a dataset")
    .requiredOption("--collection <name>", "a collection such as place, or a search path such as places")
    .requiredOption(
      "--pmtiles <file>",
      "file to write (.pmtiles); one that is there is replaced when the new one is whole",
      parsed(parsePmtiles),
    )
    .option("--bbox <west,south,east,north>", "only tiles that meet the box, in degrees", parsed(parseBox))
    .option("--max-zoom <zoom>", "finest zoom", parsedZoom, DEFAULT_MAX_ZOOM)
    .addHelpText("after", "\nExample:\n  cairn tiles .cairn/dataset --collection places --pmtiles places.pmtiles")
    .action(async (location: string, { collection, pmtiles, bbox, maxZoom }: TilesArguments) => {
      const { requireDataset } = await import("./serving.ts");
      await requireDataset(location);
      const { openNodeDataset } = await import("../../web/hosts/node/open.ts");
      const { layersOf, tileNames } = await import("../../web/tiles/index.ts");
      const { writeTiles } = await import("../pmtiles/index.ts");
      const { requireRowsIn } = await import("./rows-in-box.ts");
      const dataset = openNodeDataset(location);
      const manifest = await dataset.manifest();
      const layers = layersOf(collection, manifest);
      if (layers.length === 0) {
        throw new Error(
          `${location} has no tiles of ${collection}; there are those of ${tileNames(manifest).join(", ")}`,
        );
      }
      if (bbox) await requireRowsIn(dataset, { location, collections: layers, bbox });
      const onZoom = (zoom: number, looked: number) => console.error(`cairn: zoom ${zoom}: ${looked} tiles looked at`);
      const { tiles, bytes } = await writeTiles({
        dataset,
        layers,
        name: collection,
        out: pmtiles,
        maxZoom,
        bbox,
        onZoom,
      });
      console.log(`${pmtiles}: ${tiles} tiles of ${layers.join(", ")}, zoom 0 to ${maxZoom}, ${bytes} bytes`);
    });
}

function parsePmtiles(path: string): string {
  if (/[^/\\]\.pmtiles$/i.test(path)) return path;
  throw new Error(`expected the name of a file that ends in .pmtiles, got ${path}`);
}

function parsedZoom(text: string): number {
  const zoom = Number(text);
  if (/^\d+$/.test(text) && zoom <= MOST_ZOOM) return zoom;
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${MOST_ZOOM}, got ${text}.`);
}

/** As for tiles that are asked for one by one. */
const MOST_ZOOM = 20;
