/** The stored data can't be used. `message` says what is wrong and how to correct it. */
export class StoreFault extends Error {}

/** Describes SQLite's error about an unusable file; returns any other error unchanged. */
export function describeStoreFault(error: unknown, path: string): unknown {
  const text = String(error);
  if (text.includes("file is not a database") || text.includes("disk image is malformed")) {
    return new StoreFault(`${path} is damaged, or no database: put a backup in its place, then start again.`);
  }
  return error;
}
