import { decodeParquet } from "../hosts/node/parquet.ts";
import { describeMadeUpSearches, describeSampleSearches } from "./search.contract.ts";

const contract = { executor: "scan", decode: decodeParquet, searches: 300 } as const;
describeMadeUpSearches("scan", contract);
describeSampleSearches("scan", contract);
