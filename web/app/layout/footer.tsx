import { formatBytes, text } from "../text/index.ts";
import { engineParts } from "../worker/index.ts";

/** The load progress of the database. */
export function Footer() {
  const database = engineParts.database.value;
  if (!database || database.state === "ready") return null;
  const received = formatBytes(database.receivedBytes);
  return (
    <footer class="panel-footer">
      {text("console.starting", { received, total: formatBytes(database.totalBytes) })}
    </footer>
  );
}
