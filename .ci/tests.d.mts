/** Files and folders of the deep tests. */
export const DEEP: string[];
/** Globs of the deep tests that Vitest runs. */
export const DEEP_TESTS: string[];
/** Globs of the deep tests that Playwright runs. */
export const DEEP_SPECS: string[];
export function isSpec(file: string): boolean;
export function isDeep(file: string): boolean;
export function testFiles(): string[];
export function unknownDeep(): string[];
