import { newVersion, takeOver } from "./service-worker.ts";
import { text } from "./text/index.ts";
import "./styles/areas.css";

/** Says that a new version of the program waits, and lets the reader change to it. */
export function NewVersion() {
  if (!newVersion.value) return null;
  return (
    <div class="new-version" role="status">
      <span>{text("version.ready")}</span>
      <button type="button" class="primary" onClick={takeOver}>
        {text("version.reload")}
      </button>
    </div>
  );
}
