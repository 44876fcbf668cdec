export { createLocator, type Locator, writeOutlines } from "./source-outlines.ts";
