import { metersBetween } from "../../../data/format/sphere.ts";
import type { Town } from "../../hosts/browser/protocol/index.ts";
import {
  centreText,
  type Example,
  examplesIn,
  formatPageState,
  restAddress,
  type Search,
  startSearch,
} from "../address/index.ts";
import { dataset } from "../state/index.ts";
import { countryName, formatDistance, pathText, text } from "../text/index.ts";
import { useTowns } from "./use-towns.ts";

/** Distance from a town from which on its name does not describe a location. */
const TOWN_METERS = 10_000;

/** Links to searches that have results in this dataset. Nothing before the manifest is loaded. */
export function Examples() {
  const towns = useTowns(() => dataset.value && startSearch(dataset.value).path);
  if (!dataset.value) return null;
  return (
    <ul class="examples">
      {examplesIn(dataset.value).map((example) => (
        <li key={restAddress(example.search)}>
          <a href={formatPageState({ search: example.search })}>
            <strong>{titleOf(example, towns)}</strong>
            <span>{hintOf(example.search)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Returns the kind of records with the town if known, otherwise the country, otherwise the coordinates. */
function titleOf({ search: { path, centre }, country }: Example, towns: readonly Town[]): string {
  const town = centre && towns.find((each) => metersBetween(each, centre) < TOWN_METERS)?.name;
  const where = town ?? (country === undefined ? centre && centreText(centre) : countryName(country));
  return [pathText(path), where].filter(Boolean).join(" · ");
}

function hintOf({ centre, radiusMeters }: Search): string {
  return centre ? text("empty.circleHint", { distance: formatDistance(radiusMeters) }) : text("empty.countryHint");
}
