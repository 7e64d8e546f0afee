import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncPath } from "@/lib/durability/sync-path";

/** Makes a folder for its owner alone, with its missing parents, unless it exists. Those made survive a power loss. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = resolve(first);
  for (let made = resolve(folder); made.length >= top.length; made = dirname(made)) {
    await syncPath(dirname(made));
  }
}
