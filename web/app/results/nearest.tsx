/** The nearest record of its kind, read when a search has been answered. @module */
import type { Feature } from "../../engine/index.ts";
import type { SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { centreText, changed, formatRecordAddress, nearestArgument, pointedAddressOf } from "../address/index.ts";
import { clickedAt, found } from "../state/index.ts";
import { distanceOf, formatDistance, recordTitle, text } from "../text/index.ts";
import { useAnswer } from "../widgets/index.ts";
import { remote, savesData } from "../worker/index.ts";

/** Farther away an address tells nothing of where the reader has clicked. */
const MOST_METERS = 1000;

export interface Nearest {
  readonly record: Feature;
  readonly meters: number;
}

/** What the search finds first; undefined until it is there, and where it cannot be had: what stands around it stands by itself. */
export function useNearest(argument: SearchArgument): Nearest | undefined {
  const answer = useAnswer((signal) => remote("search", argument, signal));
  const [record] = answer && "value" in answer && answer.value.kind === "found" ? answer.value.body : [];
  const meters = record && distanceOf(record);
  return record && meters !== undefined ? { record, meters } : undefined;
}

/** The address that is nearest to where the reader has clicked on the map. */
export function WhereClicked() {
  const search = found.value?.search;
  const here = search?.centre && centreText(search.centre);
  if (!search || !here || !clickedAt.value || centreText(clickedAt.value) !== here) return null;
  // a list of addresses begins with it
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
