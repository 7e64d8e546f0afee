import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { endianness } from "node:os";

/** An open connection to the port. */
export interface OpenConnection {
  /** The remote address: IPv4, also where it arrived as mapped IPv6, or all eight groups of an IPv6 address. */
  readonly address: string;
  readonly callerPort: number;
  /** The socket's inode number. */
  readonly inode: string;
}

const ESTABLISHED = "01";

/** This process's sockets: descriptors by inode. */
export function readDescriptors(): ReadonlyMap<string, number> {
  const descriptors = new Map<string, number>();
  for (const name of readdirSync("/proc/self/fd")) {
    const inode = socketOf(Number(name));
    if (inode !== null) descriptors.set(inode, Number(name));
  }
  return descriptors;
}

/** The inode of the socket behind a descriptor; null where it is not, or no longer, a socket. */
export function socketOf(descriptor: number): string | null {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** How many TCP sockets the machine, or the container, has in use. @throws where the system doesn't report it. */
export function countSockets(): number {
  const counts = ["sockstat", "sockstat6"].map((name) => {
    const text = readIfThere(`/proc/net/${name}`);
    return Number(/^TCP6?: inuse (\d+)/m.exec(text)?.[1] ?? 0);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The established connections of a listening port. */
export function readConnections(port: number): OpenConnection[] {
  const texts = ["tcp", "tcp6"].map((name) => readIfThere(`/proc/net/${name}`));
  return texts.flatMap((text) => parseConnections(text, port));
}

/** The rows of `/proc/net/tcp` or `tcp6` that are established connections of a listening port. */
export function parseConnections(text: string, port: number): OpenConnection[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const found: OpenConnection[] = [];
  for (const line of text.split("\n")) {
    // Most rows belong to other ports, so they are skipped before they are parsed.
    if (!line.includes(suffix)) continue;
    const [, local = "", remote = "", state, , , , , , inode = "0"] = line.trim().split(/\s+/);
    // A connection that was not accepted yet has no inode.
    if (state !== ESTABLISHED || inode === "0" || !local.endsWith(suffix)) continue;
    const [address = "", callerPort = ""] = remote.split(":");
    found.push({ address: addressOf(address), callerPort: Number.parseInt(callerPort, 16), inode });
  }
  return found;
}

/** An address in the kernel's notation: 32-bit words in the machine's byte order. */
function addressOf(hex: string): string {
  const bytes = Buffer.from(hex, "hex");
  if (endianness() === "LE") bytes.swap32();
  const isMapped = bytes.length === 16 && bytes.subarray(0, 12).toString("hex") === `${"0".repeat(20)}ffff`;
  if (bytes.length === 4 || isMapped) return bytes.subarray(-4).join(".");
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":");
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    // A machine without IPv6 has no table for it.
    if (path.endsWith("6")) return "";
    throw error;
  }
}
