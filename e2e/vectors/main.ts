/** `npm run vectors`: writes the test vectors of the specification. @module */
import { VECTORS } from "./source.ts";
import { writeVectors } from "./write.ts";

await writeVectors(VECTORS);
