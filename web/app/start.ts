/** The page's head loads this first: the engine starts while styles and the rest of the page are loading. @module */
import { openDataset } from "./worker/index.ts";

// the page asks once more when it is here, and says what is wrong
openDataset().catch(() => {});
