import { effect } from "@preact/signals";
import { render } from "preact";
import { loadPart } from "../hosts/browser/parts/index.ts";
import type { ModelContext } from "./agents.ts";
import { App } from "./app.tsx";
import { startOwnFiles } from "./files/index.ts";
import { startTitle } from "./layout/index.ts";
import { startSavedAreas } from "./saved-areas/index.ts";
import { registerServiceWorker } from "./service-worker.ts";
import { isOnline, startCategoryNames, startConnection, startPreferences, startSession } from "./state/index.ts";
import "maplibre-gl/dist/maplibre-gl.css";
import "./styles/tokens.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/results.css";
import "./styles/export.css";
import "./styles/detail.css";
import "./styles/map.css";
import "./styles/icons.css";
import "./styles/bar.css";
import "./styles/filters.css";
import "./styles/panels.css";

// a stylesheet that failed would count as loaded when its part is loaded again
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement) target.remove();
  },
  true,
);
startSession();
await startPreferences();
const root = document.getElementById("app");
if (root) render(<App />, root);
startTitle();
registerServiceWorker();
startConnection();
startCategoryNames();
startSavedAreas();
startOwnFiles();
offer(Reflect.get(document, "modelContext"));

/** Loads the code that offers tools to the browser's agent, if the browser has one: few do. */
function offer(context: ModelContext | undefined): void {
  if (typeof context?.registerTool !== "function") return;
  let isOffered = false;
  effect(() => {
    if (!isOnline.value || isOffered) return;
    isOffered = true;
    loadPart(() => import("./agents.ts"))
      .then(({ registerTools }) => registerTools(context))
      .catch(() => {
        isOffered = false;
      });
  });
}
