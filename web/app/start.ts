/** Loaded first in the head of the page: starts the engine while styles and other scripts load. @module */
import { openDataset } from "./worker/index.ts";

// the page opens it again and reports the error
openDataset().catch(() => {});
