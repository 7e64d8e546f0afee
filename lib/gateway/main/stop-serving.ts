import type { Timers } from "../clock";
import type { HttpServer } from "../http/server";
import type { OpenGateway } from "./open-gateway";
import type { StopTimes } from "./settings/environment";

type Stoppable = Pick<OpenGateway, "drain" | "endStreams" | "idle" | "close">;

/**
 * Stops a gateway so that no call is lost: `/readyz` says no at once, and calls are still taken until whoever spreads
 * them has noticed. Then those under way go on, also in the background, up to a limit, at which they are broken off and
 * charged for what was generated.
 */
export async function stopServing(
  { server, gateway }: { readonly server: Pick<HttpServer, "stop">; readonly gateway: Stoppable },
  { drainSeconds, stopSeconds }: StopTimes,
  timers: Pick<Timers, "wait">,
): Promise<void> {
  gateway.drain();
  await timers.wait(drainSeconds * 1000);
  gateway.endStreams();
  const late = timers.wait(stopSeconds * 1000).then(() => true);
  const stopped = server.stop().then(() => gateway.idle());
  const isLate = await Promise.race([stopped.then(() => false), late]);
  if (isLate) await server.stop(true);
  await gateway.close();
}
