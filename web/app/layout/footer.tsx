import { restAddress } from "../address/index.ts";
import { dataset, pageState } from "../state/index.ts";
import { formatBytes, releaseText, text } from "../text/index.ts";
import { engineParts } from "../worker/index.ts";

/** The search as an API address, the date of the release, and the load progress of the database. */
export function Footer() {
  const { search } = pageState.value;
  const { release = "" } = dataset.value ?? {};
  const released = releaseText(release);
  return (
    <footer class="panel-footer">
      {search && (
        <a href={`./${restAddress(search)}`} target="_blank" rel="noopener" title={text("footer.apiHint")}>
          {text("footer.api")}
        </a>
      )}
      {released !== undefined && <span title={`${text("release.hint")}: ${release}`}>{released}</span>}
      <DatabaseState />
    </footer>
  );
}

function DatabaseState() {
  const database = engineParts.database.value;
  if (!database) return null;
  if (database.state === "ready") return <span>{text("footer.databaseReady")}</span>;
  const received = formatBytes(database.receivedBytes);
  return <span>{text("console.starting", { received, total: formatBytes(database.totalBytes) })}</span>;
}
