export { foundSql } from "./console-sql.ts";
export { CopyAs } from "./copy-as.tsx";
