export { openBucket, parseBucket } from "./bucket.ts";
export { uploadFolder } from "./upload.ts";
