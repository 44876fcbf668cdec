export { overtureHandlers } from "./overture-handlers.ts";
