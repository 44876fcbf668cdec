/** The changelog with what is unreleased under the version's own head. */
export function releasedChangelog(text: string, version: string, date: string): string;
