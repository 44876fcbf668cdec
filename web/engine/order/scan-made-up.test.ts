import { decodeParquet } from "../../hosts/node/parquet.ts";
import { describeMadeUpSearches } from "../search.contract.ts";

describeMadeUpSearches("scan", { executor: "scan", decode: decodeParquet, searches: 25 });
