import {
  endedTooSoon,
  RefusedStart,
  type StartedProgram,
  startProgram,
  waitForAnswer,
} from "@/lib/dev/launch/program";
import { readStopTimes } from "@/lib/gateway/main/settings/environment";

/** The gateway's message to its parent process once it listens. */
export type GatewayReady = {
  type: "ready";
  /** Origin, without `/v1`. */
  url: string;
  /** The first admin key and the token of a sign-in link: there when the database was just created. */
  adminKey?: string;
  signInToken?: string;
  /** Absolute path of the data folder. */
  data: string;
};

/** How long a gateway may take after the calls under way for the orders that its tasks have sent, and to close. */
const CLOSE_MS = 90_000;

type GatewayMessage = GatewayReady | { type: "fault"; lines: string[] };

/**
 * Starts the gateway; `ready` resolves when `/readyz` answers, and rejects with a LaunchFault in the gateway's
 * own words when it refuses to start.
 */
export function startGateway(
  env: Record<string, string | undefined>,
  bunFlags: string[] = [],
): StartedProgram<GatewayReady> {
  const { drainSeconds, stopSeconds } = readStopTimes(env, () => {});
  const readiness = Promise.withResolvers<GatewayReady>();
  const program = startProgram({
    name: "gateway",
    command: [process.execPath, ...bunFlags, "lib/gateway/main.ts"],
    env: { ...env, ...gatewayRuntime },
    stopTimeoutMs: (drainSeconds + stopSeconds) * 1000 + CLOSE_MS,
    onMessage(message) {
      if (!isGatewayMessage(message)) return;
      if (message.type === "ready") readiness.resolve(message);
      else readiness.reject(new RefusedStart(message.lines));
    },
  });
  const ready = readiness.promise.then(async (message) => {
    await waitForAnswer(`${message.url}/readyz`);
    return message;
  });
  return { program, ready: Promise.race([ready, endedTooSoon(program)]) };
}

function isGatewayMessage(message: unknown): message is GatewayMessage {
  return (
    typeof message === "object" &&
    message !== null &&
    "type" in message &&
    (message.type === "ready" || message.type === "fault")
  );
}

/** Settings that Bun and its engine read when the gateway's process starts. `npm run gateway` sets them too. */
export const gatewayRuntime = {
  /** Connections to all providers together; the default is 256. */
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65535",
  // Under load, two threads return free memory to the system and fetch it again all the time: 4 page faults for each
  // call. With 5 s (in ms) between two returns, and none fetched ahead, there are few, and the memory at rest is the
  // same.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: "5000",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
} as const;
