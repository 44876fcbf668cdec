/**
 * Starts the engine before the rest of the page is here: the page's head asks for this small script first, and for its styles
 * and all else beside it.
 * @module
 */
import { openDataset } from "./worker/index.ts";

// the page asks once more when it is here, and says what is wrong
openDataset().catch(() => {});
