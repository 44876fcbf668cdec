import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ExtractPlan } from "../../data/release/index.ts";
import { exists, writeWhole } from "../disk/index.ts";
import { ATTRIBUTION_FILE, EXTRACT_FILE } from "../sources/index.ts";
import { attributionsOf } from "./attributions.ts";
import { type Extract, hashArea, parseJson, planPath, readExtract, readOptional } from "./extract-folder.ts";
import { type FileFacts, madePath } from "./fetch-extract.ts";

interface Made {
  readonly work: string;
  readonly plan: ExtractPlan;
  readonly facts: readonly FileFacts[];
}

/** Puts files in their place, credits and description last; may be done again when it was stopped. */
export async function finish(out: string, { work, plan, facts }: Made): Promise<Extract> {
  const held = await readExtract(out);
  for (const file of facts.filter(({ rows }) => rows > 0)) {
    const made = madePath(work, file);
    await mkdir(dirname(join(out, file.path)), { recursive: true });
    if (await exists(made)) await rename(made, join(out, file.path));
  }
  const types = plan.types.map(({ type, license }) => {
    const mine = facts.filter((file) => file.type === type && file.rows > 0);
    const sum = (member: "rows" | "bytes"): number => mine.reduce((total, file) => total + file[member], 0);
    return [type, { license, files: mine.length, rows: sum("rows"), bytes: sum("bytes") }] as const;
  });
  const cited = plan.types.map(({ type, license }) => ({
    license,
    citations: facts.filter((file) => file.type === type).flatMap(({ citations }) => citations),
  }));
  const older = await readOptional(join(out, ATTRIBUTION_FILE));
  const attributions = attributionsOf(cited);
  const before = older === undefined ? [] : (parseJson(join(out, ATTRIBUTION_FILE), older) as typeof attributions);
  const added = attributions.filter(({ dataset }) => !before.some((entry) => entry.dataset === dataset));
  await writeWhole(join(out, ATTRIBUTION_FILE), `${JSON.stringify([...before, ...added], null, 2)}\n`);
  const { label, bbox } = plan.area;
  const extract: Extract = {
    release: plan.release,
    area: { label, bbox: [...bbox], sha256: hashArea(plan.area) },
    types: { ...held?.types, ...Object.fromEntries(types) },
  };
  await writeWhole(join(out, EXTRACT_FILE), `${JSON.stringify(extract, null, 2)}\n`);
  await rm(planPath(work));
  return extract;
}
