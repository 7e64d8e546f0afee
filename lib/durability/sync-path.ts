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

const faults: Readonly<Record<string, string>> = {
  ENOENT: "doesn't exist: create it",
  EISDIR: "is a folder, where a file is needed: move it away",
  ENOTDIR: "is within a file, where a folder is needed: move that file away",
  EEXIST: "is a file, where a folder is needed: move it away",
  EACCES: "can't be read and written by this user: give them the right to",
  EPERM: "can't be read and written by this user: give them the right to",
  EROFS: "is on a disk that can only be read: make it writable",
  ENOSPC: "doesn't fit on its disk, which is full: make room on it",
  EDQUOT: "doesn't fit into this user's share of the disk: make room in it",
  ELOOP: "is a link that leads to itself: remove it",
  ENAMETOOLONG: "is too long for a path: shorten it",
};

/**
 * Says in a sentence why a path can't be used and how to mend it.
 * @param other how to use another path, such as "set GATEHOUSE_DATA to another".
 * @returns null if the error isn't about a path.
 */
export function describePathFault(
  error: unknown,
  { path, other }: { readonly path: string; readonly other: string },
): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const fault = faults[String(error.code)];
  if (fault === undefined) return null;
  const named = "path" in error && typeof error.path === "string" ? error.path : path;
  return `${named} ${fault}, or ${other}.`;
}
