import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { describePathFault } from "@/lib/durability/sync-path";

/** The fault to show if the port can't be listened on; null for none. */
export async function findPortFault(variable: string, host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>();
  const server = createServer();
  server.once("error", resolve);
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  const error = await promise;
  if (!error) return null;
  if (error.code === "EADDRINUSE") {
    return `Port ${port} is in use: stop the program that has it, or set ${variable} to another.`;
  }
  if (error.code === "EACCES") {
    return `Port ${port} needs more rights than this user has: set ${variable} to 1024 or above.`;
  }
  return `Nothing can listen on ${host}:${port} (${error.code}): set HOST to an address of this machine.`;
}

/** The fault to show if the folder can't be created, read or written; null for none. Creates a missing folder. */
export function findDataFolderFault(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (statSync(folder).isDirectory()) return null;
    return `The data folder ${folder} is a file: remove it, or set GATEHOUSE_DATA to another.`;
  } catch (error) {
    const fault = describePathFault(error, { path: folder, other: "set GATEHOUSE_DATA to another" });
    if (fault === null) throw error;
    return `The data folder ${fault}`;
  }
}
