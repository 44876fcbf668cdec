export { ConsolePanel } from "./console-panel.tsx";
