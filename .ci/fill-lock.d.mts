interface Lock {
  readonly packages: Readonly<Record<string, unknown>>;
}

/** Optional dependencies that the lock file does not have, with the entries they should have. */
export function missingPackages(lock: Lock): Record<string, unknown>;
