import { decodeParquet } from "../../hosts/node/parquet.ts";
import { describeSampleSearches } from "../search.contract.ts";

describeSampleSearches("scan", { executor: "scan", decode: decodeParquet, searches: 100 });
