import { describeMadeUpSearches } from "../search.contract.ts";

describeMadeUpSearches(25);
