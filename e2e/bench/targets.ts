import { type Program, startProgram } from "./program";
import type { TargetName } from "./scenarios";
import { startMeasuredGateway } from "./start-measured-gateway";
import { startPortkey } from "./start-portkey";

/** A server that is measured, and how it is called. */
export interface Target {
  readonly name: TargetName;
  readonly url: string;
  /** Whose processor time and memory count. */
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole 200s so far. */
  replies: number;
}

export interface Targets {
  readonly load: Program;
  readonly list: readonly Target[];
  /** Why a target is not there. */
  readonly absent: readonly string[];
  /** Stops all of them. @returns what is wrong with the gateway's ledger. */
  stop(): Promise<string[]>;
}

const json = { "content-type": "application/json" };
const withKey = (key: string) => ({ ...json, authorization: `Bearer ${key}` });

/** Starts the fake provider, the load, and whatever stands between the two. */
export async function startTargets(): Promise<Targets> {
  const provider = await startProgram("e2e/bench/fake-provider.ts");
  const load = await startProgram("e2e/bench/load.ts");
  const bare = await startProgram("e2e/bench/bare-proxy.ts", {
    UPSTREAM: provider.ready.url,
    BUN_CONFIG_MAX_HTTP_REQUESTS: "65535",
  });
  const gateway = await startMeasuredGateway(provider.ready.url);
  const portkey = await startPortkey(provider.ready.url);
  const ours = targetOf("ours", gateway.program, withKey(gateway.key));
  const list = [
    targetOf("direct", provider, withKey("bench")),
    targetOf("bare", bare, withKey("bench")),
    ours,
    ...("absent" in portkey
      ? []
      : [
          {
            name: "portkey" as const,
            replies: 0,
            ...portkey,
            headers: { ...withKey("bench"), ...portkey.headers },
          },
        ]),
  ];
  return {
    load,
    list,
    absent: "absent" in portkey ? [portkey.absent] : [],
    async stop() {
      const faults = await gateway.stopAndCheck({ whole: ours.replies });
      for (const program of [bare, load, provider]) await program.stop();
      if (!("absent" in portkey)) await portkey.stop();
      return faults;
    },
  };
}

function targetOf(name: TargetName, { ready, pid }: Program, headers: Record<string, string>): Target {
  return { name, url: ready.url, pid, headers, replies: 0 };
}
