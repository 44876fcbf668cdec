export { CopyAs } from "./copy-as.tsx";
