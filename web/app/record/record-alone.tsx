import type { RecordAddress } from "../address/index.ts";
import { dataset, found, isSearching, selected } from "../state/index.ts";
import { humanize, text } from "../text/index.ts";
import { Detail } from "./detail.tsx";

/** A record that was opened by its own address, or why there is none. */
export function RecordAlone({ alone }: { alone: RecordAddress }) {
  if (selected.value) return <Detail record={selected.value} />;
  if (isSearching.value || !found.value) return <p class="hint">{text("record.loading")}</p>;
  const values = { type: humanize(alone.type).toLowerCase(), id: alone.id, release: dataset.value?.release ?? "" };
  return (
    <div class="note">
      <h2>{text("record.missing")}</h2>
      <p role="status">{text("record.missingWhat", values)}</p>
      <p>{text("record.missingHelp")}</p>
      <a href="#/">{text("record.start")}</a>
    </div>
  );
}
