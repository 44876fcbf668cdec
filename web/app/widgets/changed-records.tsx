import { isOvertureType } from "../../../data/format/collections.ts";
import type { FoundChanges } from "../../hosts/browser/protocol/index.ts";
import { collectionsOf, coordinate, formatRecordAddress, type Search } from "../address/index.ts";
import { kindText, propertyText, text } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import { useAnswer } from "./use-answer.ts";
import "../styles/changes.css";

export interface ChangesProps {
  readonly search: Search;
  /** Name of the older release. */
  readonly release: string;
}

/** Maximum number of listed changes. All are counted. */
const MOST_LISTED = 100;

/**
 * Lists what changed since an older release: records of the kinds that the search finds, in its circle. Nothing without a circle.
 */
export function ChangedRecords({ search, release }: ChangesProps) {
  const parameters = parametersOf(search, release);
  return parameters && <Changes key={JSON.stringify(parameters)} parameters={parameters} />;
}

function Changes({ parameters }: { parameters: Readonly<Record<string, string>> }) {
  const answer = useAnswer((signal) => remote("changes", parameters, signal));
  if (!answer) return <p class="quiet">{text("status.searching")}</p>;
  if ("error" in answer) return <p class="fault">{text("here.failed")}</p>;
  if (answer.value.kind === "refused") return <p class="fault">{text("changes.tooMany")}</p>;
  const { found } = answer.value;
  if (found.total === 0) return <p class="quiet">{text("changes.none")}</p>;
  return (
    <>
      <p>{text("changes.counts", found.counts)}</p>
      <ul class="changes">
        {found.changes.map((change) => (
          <ChangeItem key={`${change.properties.collection} ${change.id}`} change={change} />
        ))}
      </ul>
      {found.changes.length < found.total && (
        <p class="quiet">{text("changes.more", { count: found.total - found.changes.length })}</p>
      )}
    </>
  );
}

function ChangeItem({ change: { id, properties } }: { change: FoundChanges["changes"][number] }) {
  const { collection, change, columns, name } = properties;
  const title = name ?? kindText(collection);
  const isThere = change !== "removed" && isOvertureType(collection);
  return (
    <li class={`change-${change}`}>
      <span class="change-kind">{text(`changes.${change}`)}</span>{" "}
      <bdi>{isThere ? <a href={formatRecordAddress({ type: collection, id })}>{title}</a> : title}</bdi>
      {columns.length > 0 && <span class="quiet"> {columns.map(propertyText).join(", ")}</span>}
    </li>
  );
}

/** Returns the parameters of the request; undefined without a circle. Places that are joined with buildings count as places. */
function parametersOf(
  { path, centre, radiusMeters, country, filters }: Search,
  release: string,
): Record<string, string> | undefined {
  if (!centre) return undefined;
  const types = collectionsOf(path, filters).map((name) => (name === "place_building" ? "place" : name));
  return {
    since: release,
    lat: coordinate(centre.lat),
    lng: coordinate(centre.lon),
    radius: String(radiusMeters),
    types: types.join(","),
    limit: String(MOST_LISTED),
    ...(country === undefined ? {} : { country }),
  };
}
