export { Detail, RecordAlone } from "./detail.tsx";
export { Facts } from "./facts.tsx";
