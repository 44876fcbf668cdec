export { isRecordId, mayBeCode, parsePoint } from "./typed-point.ts";
