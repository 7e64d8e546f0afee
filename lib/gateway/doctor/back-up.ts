import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** A backup failed; `message` is one line that says how to correct it. */
export class BackupError extends Error {}

/**
 * Writes a consistent copy of the database, even while a gateway writes to it. The copy is on disk when this returns, and
 * readable by its owner only.
 * @returns its size in bytes.
 * @throws BackupError if the file already exists.
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
