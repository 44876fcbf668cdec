export { CopyAs } from "./copy-as.tsx";
export { foundSql } from "./found-sql.ts";
