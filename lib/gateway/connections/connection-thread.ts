import { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { type OpenConnection, readConnections, readDescriptors } from "./socket-table";

/** Reads the kernel's table on a separate thread, since that takes a millisecond per few hundred rows. */
declare const self: Worker;

export interface SurplusQuery {
  readonly port: number;
  readonly maxPerCaller: number;
  readonly exempt: readonly string[];
}

/** A caller with more connections than its share. */
export interface Surplus {
  readonly caller: string;
  /** By how many its connections exceed the share. */
  readonly count: number;
  /** All of its connections, oldest first. */
  readonly connections: readonly SurplusConnection[];
}

export interface SurplusConnection {
  readonly descriptor: number;
  readonly inode: string;
  readonly callerPort: number;
}

self.onmessage = ({ data }: MessageEvent<SurplusQuery>) => {
  try {
    self.postMessage(findSurplus(data));
  } catch (error) {
    self.postMessage({ fault: String(error) });
  }
};

function findSurplus({ port, maxPerCaller, exempt }: SurplusQuery): Surplus[] {
  const spared = new TrustedProxies(exempt);
  const counted = readConnections(port).filter(({ address }) => !spared.trusts(address));
  const byCaller = new Map<string, OpenConnection[]>();
  for (const connection of counted) {
    const caller = callerOf(connection.address);
    const known = byCaller.get(caller);
    if (known) known.push(connection);
    else byCaller.set(caller, [connection]);
  }
  const large = [...byCaller].filter(([, open]) => open.length > maxPerCaller);
  if (large.length === 0) return [];
  const descriptors = readDescriptors();
  return large.flatMap(([caller, open]) => {
    const connections = ownConnections(open, descriptors);
    const count = connections.length - maxPerCaller;
    return count > 0 ? [{ caller, count, connections }] : [];
  });
}

/** The unit that a share is counted for: an IPv4 address, or an IPv6 /64 network, which one customer has. */
function callerOf(address: string): string {
  const groups = address.split(":");
  return groups.length === 1 ? address : `${groups.slice(0, 4).join(":")}::/64`;
}

/** Other processes may listen on the same port: their connections are left out. */
function ownConnections(
  open: readonly OpenConnection[],
  descriptors: ReadonlyMap<string, number>,
): SurplusConnection[] {
  return open
    .flatMap(({ inode, callerPort }) => {
      const descriptor = descriptors.get(inode);
      return descriptor === undefined ? [] : [{ descriptor, inode, callerPort }];
    })
    .toSorted((one, other) => Number(one.inode) - Number(other.inode));
}
