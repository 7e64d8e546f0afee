import type { OpenCalls } from "../completions/open-calls";
import type { BodyReader } from "../http/body-reader";
import { forgetOldSignIns } from "./open-sign-in";
import type { StoreOptions, Stores } from "./open-stores";

const REAP_MS = 30_000;
const SWEEP_MS = 1_000;

interface Chores {
  readonly openCalls: OpenCalls;
  readonly bodyReader: BodyReader;
}

/** Starts the gateway's recurring work. @returns a function that stops it. */
export function repeatChores(
  { effects, logFault }: Pick<StoreOptions, "effects" | "logFault">,
  stores: Stores,
  { openCalls, bodyReader }: Chores,
): () => void {
  const { clock } = effects;
  const reap = () => {
    openCalls.settleOverdue(clock.nowMs());
    stores.funds
      .takeOver("expired", clock.nowMs())
      .catch((error: unknown) => logFault("holds of others", error));
    forgetOldSignIns(stores, clock.nowMs()).catch((error) => logFault("sign-in attempts", error));
  };
  const timers = [setInterval(reap, REAP_MS), setInterval(() => bodyReader.sweep(), SWEEP_MS)];
  for (const timer of timers) timer.unref();
  return () => timers.forEach(clearInterval);
}
