import { render } from "preact";
import type { ModelContext } from "./agents.ts";
import { App } from "./app.tsx";
import { startOwnFiles } from "./files/index.ts";
import { startTitle } from "./layout/index.ts";
import { startSavedAreas } from "./saved-areas/index.ts";
import { registerServiceWorker } from "./service-worker.ts";
import { startCategoryNames, startConnection, startPreferences, startSession } from "./state/index.ts";
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

/** Few browsers have an agent that uses tools of pages. */
function offer(context: ModelContext | undefined): void {
  if (typeof context?.registerTool === "function")
    void import("./agents.ts").then(({ registerTools }) => registerTools(context));
}
