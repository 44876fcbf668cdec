import { mkdtemp, writeFile } from "node:fs/promises"; import { tmpdir } from "node:os"; import { join } from "node:path";
import { buildDataset } from "../../pipeline/dataset/build.ts";
import { csvOf, shopsOf } from "../support/bike-shops.ts";
for (const n of [40,1000,5000]) { const f = await mkdtemp(join(tmpdir(),"x-")); await writeFile(join(f,"shops.csv"), csvOf(await shopsOf(n))); await buildDataset({sources:[join(f,"shops.csv")], out:`/tmp/shops${n}`}); }
