export { SavedAreasPanel } from "./saved-areas-panel.tsx";
