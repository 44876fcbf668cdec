export { engineParts, hostNews, openDataset, remote, savesData, startWorker } from "./worker.ts";
