export { Footer } from "./footer.tsx";
export { Header } from "./header.tsx";
export { PanelEdge } from "./panel-edge.tsx";
export { OpenPanel } from "./panels.tsx";
export { ProblemNote } from "./problem-note.tsx";
export { Sheet } from "./sheet.tsx";
export { ShopTitle } from "./shop-title.tsx";
export { startTitle } from "./title.ts";
