export { ExportDialog } from "./export-dialog.tsx";
export { exportFileName } from "./file-name.ts";
