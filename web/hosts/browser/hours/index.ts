export { hoursOf, isOpenAt } from "./hours.ts";
