import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayRuntime } from "@/lib/dev/launch/start-gateway";
import { type Program, startBenchProgram } from "./program";
import { startMeasuredGateway, trustingSelfSigned } from "./start-measured-gateway";
import { type Portkey, startPortkey } from "./start-portkey";
import type { TargetName } from "./workloads";

/** A server to measure, and how to call it. */
export interface Target {
  readonly name: TargetName;
  readonly url: string;
  /** The process whose processor time and memory are measured. */
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The number of whole 200s so far. */
  replies: number;
}

export interface Targets {
  readonly load: Program;
  readonly list: readonly Target[];
  /** The processes of the benchmark. The time of all others is counted as foreign. */
  readonly pids: readonly number[];
  /** Why targets are missing. */
  readonly absent: readonly string[];
  /**
   * Stops all of them.
   * @returns the faults in the gateway's ledger.
   */
  stop(): Promise<string[]>;
}

const json = { "content-type": "application/json" };
const withKey = (key: string) => ({ ...json, authorization: `Bearer ${key}` });

/** Starts the fake provider, the load, and all targets between the two. */
export async function startTargets(): Promise<Targets> {
  const provider = await startBenchProgram("e2e/bench/fake-provider.ts");
  const { url, secureUrl = "" } = provider.ready;
  const load = await startBenchProgram("e2e/bench/load/load.ts");
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-proxy-"));
  const proxies = {
    bare: await startProxy({ UPSTREAM: url }),
    iterating: await startProxy({ UPSTREAM: url, ITERATES: "1" }),
    secure: await startProxy({ UPSTREAM: secureUrl, ...(await trustingSelfSigned(folder)) }),
  };
  const gateway = await startMeasuredGateway(provider.ready);
  const portkey = await startPortkey(url);
  const ours = toTarget("ours", gateway.program, withKey(gateway.key));
  const peer = "absent" in portkey ? [] : [toPeer(portkey)];
  const list = [
    toTarget("direct", provider, withKey("bench")),
    toTarget("bare", proxies.bare, withKey("bench")),
    toTarget("iterating", proxies.iterating, withKey("bench")),
    toTarget("secure", proxies.secure, withKey("bench")),
    ours,
    ...peer,
  ];
  return {
    load,
    list,
    pids: [process.pid, load.pid, ...list.map(({ pid }) => pid)],
    absent: "absent" in portkey ? [portkey.absent] : [],
    async stop() {
      const faults = await gateway.stopAndCheck({ whole: ours.replies });
      for (const program of [...Object.values(proxies), load, provider]) await program.stop();
      if (!("absent" in portkey)) await portkey.stop();
      await rm(folder, { recursive: true, force: true });
      return faults;
    },
  };
}

function startProxy(env: Record<string, string>): Promise<Program> {
  return startBenchProgram("e2e/bench/bare-proxy.ts", { ...env, ...gatewayRuntime });
}

function toPeer({ url, pid, headers }: Portkey): Target {
  return { name: "portkey", url, pid, headers: { ...withKey("bench"), ...headers }, replies: 0 };
}

function toTarget(name: TargetName, { ready, pid }: Program, headers: Record<string, string>): Target {
  return { name, url: ready.url, pid, headers, replies: 0 };
}
