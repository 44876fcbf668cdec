export function findChromium(): Promise<string | undefined>;
export function ensureChromium(): Promise<string>;
export function installDebianPackages(names: readonly string[]): void;
export function isExecutable(path: string): boolean;
