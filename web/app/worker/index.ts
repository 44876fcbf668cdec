export { database, type RunningDatabase } from "./database.ts";
export { engineParts, hostNews, openDataset, remote, savesData } from "./worker.ts";
