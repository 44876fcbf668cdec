export { EmptyState } from "./empty-state.tsx";
export { ResultList } from "./result-list.tsx";
export { Status } from "./status.tsx";
