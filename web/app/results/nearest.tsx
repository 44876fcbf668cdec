/** The nearest record of a kind, read after a search was answered. @module */
import type { Feature } from "../../engine/index.ts";
import type { SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { centreText, changed, formatRecordAddress, nearestArgument, pointedAddressOf } from "../address/index.ts";
import { clickedAt, found } from "../state/index.ts";
import { distanceOf, formatDistance, recordTitle, text } from "../text/index.ts";
import { useAnswer } from "../widgets/index.ts";
import { remote, savesData } from "../worker/index.ts";

/** Maximum distance of an address. A farther one does not describe the clicked position. */
const MOST_METERS = 1000;

export interface Nearest {
  readonly record: Feature;
  readonly meters: number;
}

/** Returns the first result of the search and its distance in metres; undefined until loaded, without a result, and on errors. */
export function useNearest(argument: SearchArgument): Nearest | undefined {
  const answer = useAnswer((signal) => remote("search", argument, signal));
  const [record] = answer && "value" in answer && answer.value.kind === "found" ? answer.value.body : [];
  const meters = record && distanceOf(record);
  return record && meters !== undefined ? { record, meters } : undefined;
}

/** The address nearest to the position that the user clicked, while the search is there. */
export function WhereClicked() {
  const search = found.value?.search;
  const here = search?.centre && centreText(search.centre);
  if (!search || !here || !clickedAt.value || centreText(clickedAt.value) !== here) return null;
  // a list of addresses starts with it
  if (search.path === "addresses" || savesData()) return null;
  const addresses = changed(search, { path: "addresses", filters: {}, country: undefined });
  return <NearestAddress key={here} argument={nearestArgument(addresses)} />;
}

function NearestAddress({ argument }: { argument: SearchArgument }) {
  const nearest = useNearest(argument);
  const address = nearest && pointedAddressOf(nearest.record);
  if (!address || nearest.meters > MOST_METERS) return null;
  return (
    <p class="where-clicked">
      {`${text("here.address")}: `}
      <a href={formatRecordAddress(address)} dir="auto">
        {recordTitle(nearest.record)}
      </a>
      {` (${formatDistance(nearest.meters)})`}
    </p>
  );
}
