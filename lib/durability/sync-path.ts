import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Waits until a file's bytes, or the names in a folder, survive a power loss. A new or renamed file needs both: POSIX
 * promises nothing of its name before the folder is synced (https://man7.org/linux/man-pages/man2/fsync.2.html).
 */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Does what `syncPath` does and blocks the thread, for a start, a command or a thread of its own. */
export function syncPathSync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
