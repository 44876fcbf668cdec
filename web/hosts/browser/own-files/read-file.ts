/** Reads files of visitors as rows with properties, with the module that the pipeline uses too. @module */
import { readTable, type Table, TableError } from "../../../../data/tables/index.ts";
import type { Feature, Json } from "../../../engine/index.ts";
import { type FileFault, type FileToAdd, MOST_FILE_BYTES, MOST_FILE_ROWS } from "../protocol/index.ts";

/** Maximum size of a compressed file's content. In memory, values take several times as much. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

export type FileRow = Pick<Feature, "geometry" | "properties">;

interface FileRows {
  readonly rows: readonly FileRow[];
  readonly leftOut: number;
}

/** A file of the visitor cannot be searched. `fault` says why. */
export class FileError extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(`file refused: ${fault.code}`);
    this.fault = fault;
  }
}

/**
 * Returns the rows of the file that have a position, and the number of other rows. Throws `FileError` if no row has a position,
 * or if the file cannot be read.
 */
export async function readFile(
  file: Blob & { readonly name: string },
  chosen?: FileToAdd["columns"],
): Promise<FileRows> {
  if (file.size > MOST_FILE_BYTES) throw new FileError({ code: "bytes", bytes: file.size });
  const { columns, rows, rejects } = await tableOf(file, chosen);
  const leftOut = rejects.length;
  if (rows.length === 0) throw new FileError({ code: "empty", leftOut });
  return {
    rows: rows.map(({ geometry, values }) => ({
      geometry,
      properties: Object.fromEntries(
        columns.flatMap(({ name }, index) => (values[index] === null ? [] : [[name, values[index] as Json]])),
      ),
    })),
    leftOut,
  };
}

async function tableOf(file: Blob & { readonly name: string }, chosen: FileToAdd["columns"]): Promise<Table> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return await readTable(file.name, bytes, { ...chosen, maxRows: MOST_FILE_ROWS, maxBytes: MAX_UNPACKED_BYTES });
  } catch (error) {
    if (error instanceof TableError) throw new FileError(faultOf(error, file));
    throw error;
  }
}

function faultOf({ fault, message }: TableError, { name, type }: Blob & { readonly name: string }): FileFault {
  switch (fault.code) {
    case "damaged":
    case "option":
      return { code: "damaged", reason: message };
    case "format": {
      const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
      return { code: "format", got: ending === undefined ? type || name : `.${ending}` };
    }
    default:
      return fault;
  }
}
