/**
 * Tells a full disk from other failures, and what to do about it.
 * @module
 */

/** As Node, the system and DuckDB say it; the last when what is being sorted outgrows the disk. */
const FULL_DISK = /ENOSPC|No space left on device|max_temp_directory_size/;

/** The error to throw for one that ended a build with its work in the folder. */
export function explainFullDisk(error: unknown, work: string): unknown {
  const said = error instanceof Error ? error.message : String(error);
  if (!FULL_DISK.test(said)) return error;
  return new Error(
    `${work}: the disk is full; what is finished stays: free room and build again, or give --temp a folder on a larger disk`,
    { cause: error },
  );
}
