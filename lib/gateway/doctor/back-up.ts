import { Database } from "bun:sqlite";
import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describePathFault, syncPathSync } from "@/lib/durability/sync-path";
import { copyPostgres } from "./postgres/copy-postgres.sql";
import { withSnapshot } from "./postgres/examine-postgres";

/** A backup failed; `message` is one line that says how to correct it. */
export class BackupError extends Error {}

/**
 * Writes a consistent copy of the database, even while a gateway writes to it. The copy is on disk when this returns.
 * Only its owner can read it, also while it is written; nothing is left of it if it can't be completed.
 * @returns its size in bytes.
 * @throws BackupError if the file already exists.
 */
export function backUp(databasePath: string, file: string): number {
  createPrivateFile(file);
  try {
    using database = new Database(databasePath, { readonly: true, strict: true });
    database.run("PRAGMA busy_timeout = 5000");
    database.prepare("VACUUM INTO ?").run(file);
    syncPathSync(file);
  } catch (error) {
    rmSync(file);
    throw error;
  }
  syncPathSync(dirname(file));
  return statSync(file).size;
}

/**
 * Writes one snapshot of PostgreSQL as an embedded database, while gateways go on. As above.
 * @throws StoreFault too, if PostgreSQL can't be reached or another version has written it.
 */
export async function backUpPostgres(url: string, file: string): Promise<number> {
  createPrivateFile(file);
  try {
    await withSnapshot(url, (client) => copyPostgres(client, file));
    syncPathSync(file);
  } catch (error) {
    rmSync(file);
    throw error;
  }
  syncPathSync(dirname(file));
  return statSync(file).size;
}

/** `VACUUM INTO` writes to an empty file, and would create one that everybody can read. */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new BackupError(`${file} is there already: name another file, or move it away.`);
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new BackupError(`${dirname(file)} doesn't exist: create it, or name another file.`);
    const fault = describePathFault(error, { path: file, other: "name another file" });
    throw fault === null ? error : new BackupError(fault);
  }
}
