import type { StreamCount } from "./fake-provider";
import type { ReceivedReplies } from "./find-charge-faults";
import type { LoadOrder, LoadResult } from "./load/load";
import { startBenchProgram } from "./program";
import { startMeasuredGateway } from "./start-measured-gateway";

/** A fake provider, a gateway in front of it and the load, for one trial. */
export async function startBenchStage(env: Record<string, string> = {}) {
  const provider = await startBenchProgram("e2e/bench/fake-provider.ts");
  const load = await startBenchProgram("e2e/bench/load/load.ts");
  const gateway = await startMeasuredGateway(provider.ready, env);
  const headers = { "content-type": "application/json", authorization: `Bearer ${gateway.key}` };
  const { url } = gateway.program.ready;
  return {
    url,
    headers,
    pid: gateway.program.pid,
    /** All of its programs. */
    pids: [gateway.program.pid, provider.pid, load.pid],
    adminKey: gateway.program.ready.adminKey ?? "",
    async offer(order: Omit<LoadOrder, "url" | "headers">): Promise<LoadResult> {
      load.send({ url, headers, ...order } satisfies LoadOrder);
      return load.receive<LoadResult>();
    },
    async countStreams(): Promise<StreamCount> {
      provider.send({});
      return provider.receive<StreamCount>();
    },
    /** @returns the faults in the ledger. */
    async stop(received: ReceivedReplies): Promise<string[]> {
      const faults = await gateway.stopAndCheck(received);
      for (const program of [load, provider]) await program.stop();
      return faults;
    },
  };
}
