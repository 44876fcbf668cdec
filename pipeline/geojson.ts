import type { SourceFile } from "./sources.ts";
export async function firstTypeOfGeoJson(_file: SourceFile): Promise<string | undefined> {
  return undefined;
}
