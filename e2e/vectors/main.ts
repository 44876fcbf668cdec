/** `npm run vectors`: writes the test vectors of the specification. @module */
import { readOptions } from "../support/options.ts";
import { VECTORS } from "./source.ts";
import { writeVectors } from "./write.ts";

readOptions({ usage: "npm run vectors", options: {} });
await writeVectors(VECTORS);
