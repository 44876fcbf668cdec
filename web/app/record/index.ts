export { Detail } from "./detail.tsx";
export { Facts } from "./facts.tsx";
export { RecordAlone } from "./record-alone.tsx";
