import { type Command, InvalidArgumentError } from "commander";
import type { BBox } from "../../../data/format/bbox.ts";
import { CodedError } from "../../base/errors/index.ts";
import { parseBox } from "../../overture/area/index.ts";
import { parsed } from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";

const DEFAULT_MAX_ZOOM = 14;

interface TilesArguments extends JsonArguments {
  readonly collection: string;
  readonly pmtiles: string;
  readonly bbox?: BBox;
  readonly maxZoom: number;
}

/** Registers `cairn tiles`. */
export function registerTiles(program: Command): void {
  const command = program
    .command("tiles")
    .summary("write vector tiles of a dataset to a PMTiles file")
    .description("Write all vector tiles of a collection, or of a search path's collections, to one PMTiles file.")
    .argument("<dataset>", "folder or URL of a dataset")
    .requiredOption("--collection <name>", "collection, or search path such as places")
    .requiredOption("--pmtiles <file>", "file to write (.pmtiles)", parsed(parsePmtiles))
    .option("--bbox <w,s,e,n>", "only tiles in the box, in degrees", parsed(parseBox))
    .option("--max-zoom <zoom>", "finest zoom", parsedZoom, DEFAULT_MAX_ZOOM);
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn tiles .cairn/dataset --collection places --pmtiles places.pmtiles")
    .action(async (location: string, { collection, pmtiles, bbox, maxZoom, json }: TilesArguments) => {
      const output = openOutput({ json });
      const { requireDataset } = await import("../serving.ts");
      await requireDataset(location);
      const { openNodeDataset } = await import("../../../web/hosts/node/open.ts");
      const { layersOf, tileNames } = await import("../../../web/tiles/index.ts");
      const { writeTiles } = await import("../../tools/pmtiles/write-tiles.ts");
      const { requireRowsIn } = await import("./rows-in-box.ts");
      const dataset = openNodeDataset(location);
      const manifest = await dataset.manifest();
      const layers = layersOf(collection, manifest);
      if (layers.length === 0) {
        throw new CodedError(
          "CAIRN_E_VALUE",
          `${location} has no tiles of ${collection}; expected one of ${tileNames(manifest).join(", ")}`,
        );
      }
      if (bbox) await requireRowsIn(dataset, { location, collections: layers, bbox });
      const onZoom = (zoom: number, looked: number) => console.error(`cairn: zoom ${zoom}: ${looked} tiles checked`);
      const { tiles, bytes } = await writeTiles({
        dataset,
        layers,
        name: collection,
        out: pmtiles,
        maxZoom,
        bbox,
        onZoom,
      });
      output.say(`${pmtiles}: ${tiles} tiles of ${layers.join(", ")}, zoom 0 to ${maxZoom}, ${bytes} bytes`);
      output.result({ file: pmtiles, layers, max_zoom: maxZoom, tiles, bytes });
    });
}

function parsePmtiles(path: string): string {
  if (/[^/\\]\.pmtiles$/i.test(path)) return path;
  throw new CodedError("CAIRN_E_VALUE", `expected a file name with the ending .pmtiles, got ${path}`);
}

function parsedZoom(text: string): number {
  const zoom = Number(text);
  if (/^\d+$/.test(text) && zoom <= MOST_ZOOM) return zoom;
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${MOST_ZOOM}, got ${text}.`);
}

/** The same limit as for single tile requests. */
const MOST_ZOOM = 20;
