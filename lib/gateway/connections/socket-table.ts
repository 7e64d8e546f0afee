import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { endianness } from "node:os";

/** A connection that somebody opened to the port. */
export interface OpenConnection {
  /** At the other end: an IPv4 address, also where that came over IPv6, or all eight groups of an IPv6 address. */
  readonly address: string;
  readonly callerPort: number;
  /** The socket's number in the kernel. */
  readonly inode: string;
}

const ESTABLISHED = "01";

/** Which descriptor of this process is which socket. */
export function readDescriptors(): ReadonlyMap<string, number> {
  const descriptors = new Map<string, number>();
  for (const name of readdirSync("/proc/self/fd")) {
    const inode = socketOf(Number(name));
    if (inode !== null) descriptors.set(inode, Number(name));
  }
  return descriptors;
}

/** The kernel's number of the socket behind a descriptor; null where that is no socket, or none any more. */
export function socketOf(descriptor: number): string | null {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** How many TCP sockets the machine, or the container, has in use. @throws where the system doesn't say. */
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
    // Most rows are of other ports: they are left before anything is taken apart.
    if (!line.includes(suffix)) continue;
    const [, local = "", remote = "", state, , , , , , inode = "0"] = line.trim().split(/\s+/);
    // A connection that nobody has accepted yet has no number.
    if (state !== ESTABLISHED || inode === "0" || !local.endsWith(suffix)) continue;
    const [address = "", callerPort = ""] = remote.split(":");
    found.push({ address: addressOf(address), callerPort: Number.parseInt(callerPort, 16), inode });
  }
  return found;
}

/** An address as the kernel writes it: in words of 32 bits, each in the machine's order of bytes. */
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
    // A machine without IPv6 has no tables of it.
    if (path.endsWith("6")) return "";
    throw error;
  }
}
