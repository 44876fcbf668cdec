export { ConsolePanel } from "./console-panel.tsx";
export { whyNot } from "./outcome-view.tsx";
export { type Cost, type Ran, runStatements } from "./run-statements.ts";
export { describedCollections, openCollections, workerPorts } from "./statement-ports.ts";
