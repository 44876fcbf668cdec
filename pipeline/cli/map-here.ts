/** What commands do that are given nothing: `map.json` beside them says what is meant. @module */
import type { Command } from "commander";
import { type MapSettings, readSettings, SETTINGS_FILE } from "../map/index.ts";

/** Throws as for wrong usage where there is no map in this folder, naming what is then needed. */
export async function mapHere(command: Command, needed: string): Promise<MapSettings> {
  const settings = await readSettings();
  if (settings) return settings;
  return lacking(command, needed);
}

/** Ends the command as commander does. */
export function lacking(command: Command, needed: string): never {
  const what = needed.startsWith("-") ? "required option" : "required argument";
  return command.error(
    `error: ${what} '${needed}' not specified, and this folder has no ${SETTINGS_FILE} (cairn init makes one)`,
    {
      code: "cairn.lacking",
    },
  );
}
