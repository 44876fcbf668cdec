export { default } from "cairn-map/edge";
