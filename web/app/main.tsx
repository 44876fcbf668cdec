/**
 * The page.
 * @module
 */
import { render } from "preact";
import { App } from "./app.tsx";
import { startAreas } from "./saved-areas/index.ts";
import { registerServiceWorker } from "./service-worker.ts";
import { startConnection, startPreferences, startSession } from "./state/index.ts";
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
registerServiceWorker();
startConnection();
startAreas();
