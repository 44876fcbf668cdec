import { openPanel } from "../state/panel.ts";
import { formatMegabytes } from "../text/numbers.ts";
import { text } from "../text/text.ts";
import { activities, isOnline, overview, savedAreas } from "./areas-state.ts";

/** Whether there is a network, and what is saved for when there is none. Opens the saved areas. */
export function Badge() {
  const count = savedAreas.value.length;
  const isSaving = Object.values(activities.value).some(({ kind }) => kind === "saving");
  const state = text(isOnline.value ? "saved.online" : "saved.offline");
  const held = text("saved.badge", { count, megabytes: formatMegabytes(overview.value?.areaBytes ?? 0) });
  return (
    <button
      type="button"
      class={isOnline.value ? "icon-button area-badge" : "icon-button area-badge is-offline"}
      aria-label={`${state}. ${held}`}
      title={`${state}. ${held}`}
      aria-busy={isSaving}
      onClick={() => openPanel("areas")}
    >
      <span class={isOnline.value ? "icon is-saved" : "icon is-offline"} />
      {count > 0 && <span class="area-count">{count}</span>}
    </button>
  );
}
