export { createLocator, type Locator, writeOutlines } from "./outlines-file.ts";
