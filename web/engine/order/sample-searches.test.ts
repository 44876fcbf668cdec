import { describeSampleSearches } from "../search.contract.ts";

describeSampleSearches(100);
