export { createLocator, type Locator, readSourceOutlines, writeOutlines } from "./source-outlines.ts";
