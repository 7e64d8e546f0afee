/** The stored data can't be used. `message` says what is wrong and how to correct it. */
export class StoreFault extends Error {}

/** Describes SQLite's error about an unusable file; returns any other error unchanged. */
export function describeStoreFault(error: unknown, path: string): unknown {
  const text = String(error);
  if (text.includes("file is not a database") || text.includes("disk image is malformed")) {
    return new StoreFault(`${path} is damaged, or no database: put a backup in its place, then start again.`);
  }
  if (text.includes("database or disk is full") || text.includes("disk I/O error")) {
    return new StoreFault(
      `${path} can't be written (${text}): its disk is full or fails. Make room on it, then start again.`,
    );
  }
  if (text.includes("unable to open database file") || text.includes("readonly database")) {
    return new StoreFault(
      `${path} can't be opened and written (${text}): give this user access to it and to its folder, then start again.`,
    );
  }
  return error;
}
