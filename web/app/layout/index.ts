export { Header } from "./header.tsx";
export { OpenPanel } from "./panels.tsx";
export { Footer, PanelEdge, Sheet, ShopTitle } from "./sheet.tsx";
export { startTitle } from "./title.ts";
