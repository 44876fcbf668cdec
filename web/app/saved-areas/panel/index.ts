export { AreasPanel } from "./areas-panel.tsx";
