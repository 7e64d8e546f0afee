/** The stored data can't be used as it is. `message` says what is wrong and how to mend it. */
export class StoreFault extends Error {}

/** What SQLite says of a file that it can't use, in words; any other error as it is. */
export function storeFaultOf(error: unknown, path: string): unknown {
  const text = String(error);
  if (text.includes("file is not a database") || text.includes("disk image is malformed")) {
    return new StoreFault(`${path} is damaged, or no database: put a backup in its place, then start again.`);
  }
  return error;
}
