import { askHost, networkState, openPanel } from "../state/index.ts";
import { formatBytes, text } from "../text/index.ts";
import { activities, overview, savedAreas } from "./saved-areas.ts";

const STATES = {
  online: "saved.online",
  off: "saved.offline",
  silent: "saved.silent",
  faulty: "saved.faulty",
} as const;

/** A button that shows whether the dataset can be reached and how many areas are saved, and opens their panel. */
export function SavedAreasBadge() {
  const count = savedAreas.value.length;
  const isSaving = Object.values(activities.value).some(({ kind }) => kind === "saving");
  const state = networkState.value;
  const isReached = state === "online" || state === "unknown";
  const held = text("saved.badge", { count, size: formatBytes(overview.value?.areaBytes ?? 0) });
  const label = [...(state === "unknown" ? [] : [text(STATES[state])]), held, text("saved.open")].join(". ");
  return (
    <button
      type="button"
      class={isReached ? "icon-button area-badge" : "icon-button area-badge is-offline"}
      aria-label={label}
      title={label}
      aria-busy={isSaving}
      onClick={() => {
        askHost();
        openPanel("areas");
      }}
    >
      <span class={isReached ? "icon is-saved" : "icon is-offline"} />
      {count > 0 && <span class="area-count">{count}</span>}
    </button>
  );
}
