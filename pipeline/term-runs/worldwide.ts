/** Searched by name over all countries at once. */
export const WORLDWIDE: ReadonlySet<string> = new Set(["division", "division_area"]);
