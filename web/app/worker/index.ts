export { database, type RunningDatabase } from "./database.ts";
export { engineParts, hostNews, openDataset, receivedBytes, remote, savesData } from "./worker.ts";
