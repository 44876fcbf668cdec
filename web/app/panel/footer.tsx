import { engineParts } from "../state/engine.ts";
import { restAddress } from "../state/search.ts";
import { dataset, pageState } from "../state/session.ts";
import { formatMegabytes } from "../text/numbers.ts";

/** The same search as a REST address, the release, and how far the database is. */
export function Footer() {
  const { search } = pageState.value;
  return (
    <footer class="panel-footer">
      {search && (
        <a href={`./${restAddress(search)}`} target="_blank" rel="noopener" title="The same search as a REST address">
          REST
        </a>
      )}
      {dataset.value && <span title="Release of the dataset">{dataset.value.release}</span>}
      <DatabaseState />
    </footer>
  );
}

function DatabaseState() {
  const database = engineParts.database.value;
  if (!database || database.state === "failed") return null;
  if (database.state === "ready") return <span>DuckDB ready</span>;
  return (
    <span>
      DuckDB {formatMegabytes(database.receivedBytes)} of {formatMegabytes(database.totalBytes)} MB
    </span>
  );
}
