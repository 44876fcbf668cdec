import type { Town } from "../../hosts/browser/protocol/index.ts";
import type { Path } from "../address/index.ts";
import { language } from "../text/index.ts";
import { useAnswer } from "../widgets/index.ts";
import { remote, savesData } from "../worker/index.ts";

/**
 * Returns the towns around which the path has records; empty if there are many, until loaded, on errors, and if the user saves
 * data.
 */
export function useTowns(pathOf: () => Path | undefined): readonly Town[] {
  const answer = useAnswer((signal) => {
    const path = savesData() ? undefined : pathOf();
    return path === undefined ? undefined : remote("towns", { path: `/${path}`, language: language.value }, signal);
  });
  return answer && "value" in answer ? answer.value : [];
}
