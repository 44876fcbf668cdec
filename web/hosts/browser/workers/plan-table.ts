/** Reads column tables: a part that few programs need. @module */
import { openTableFile } from "../../../../data/parquet/index.ts";
import { tablePlanner } from "../../../engine/index.ts";

export const planTable = tablePlanner(openTableFile);
