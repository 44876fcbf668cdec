export { TablePanel } from "./table-panel.tsx";
