import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** A backup can't be made; `message` is one line that names the mend. */
export class BackupError extends Error {}

/**
 * Writes a copy of the database of one moment, on disk when this returns, while a gateway may be writing. Only its
 * owner can read it. @returns its size in bytes. @throws BackupError where the file is there already.
 */
export function backUp(databasePath: string, file: string): number {
  if (existsSync(file))
    throw new BackupError(`${file} is there already: name another file, or move it away.`);
  {
    using database = new Database(databasePath, { readonly: true, strict: true });
    database.run("PRAGMA busy_timeout = 5000");
    database.prepare("VACUUM INTO ?").run(file);
  }
  chmodSync(file, 0o600);
  sync(file);
  sync(dirname(file));
  return statSync(file).size;
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
