import { decodeParquet } from "../hosts/node/parquet.ts";
import { describeMadeUpSearches, describeSampleSearches } from "./search.contract.ts";

const contract = { executor: "scan", decode: decodeParquet } as const;
describeMadeUpSearches("scan", { ...contract, searches: 25 });
describeSampleSearches("scan", { ...contract, searches: 300 });
