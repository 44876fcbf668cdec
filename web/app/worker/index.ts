export { database, type RunningDatabase } from "./database.ts";
export { engineParts, hostStatus, openDataset, receivedBytes, remote, savesData } from "./worker.ts";
