export { verifyDataset } from "./verify.ts";
