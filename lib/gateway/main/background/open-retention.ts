import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Lock } from "../../changes/change";
import type { StoreOptions, Stores } from "../open-stores";
import { pruneStore } from "./prune-store.sql";
import { type RetentionDraft, toRetention } from "./retention";
import type { SteadyClock } from "./steady-clock";

/** The interval between two searches for expired rows, and the pause between two steps of deleting them. */
const POLL_MS = MINUTE_MS;
const REST_MS = 100;

/** Deletes expired rows in the background, by a clock that is steady. */
export function openRetention(
  { effects, logFault }: Pick<StoreOptions, "effects" | "logFault">,
  { connection }: Pick<Stores, "connection">,
  lock: Lock,
  { draft, steadyClock }: { readonly draft: RetentionDraft; readonly steadyClock: SteadyClock },
): { close(): Promise<void> } {
  const retention = toRetention(draft);
  const closing = new AbortController();
  let underWay: Promise<void> | null = null;
  const pause = async () => {
    await sleep(REST_MS, undefined, { signal: closing.signal }).catch(() => {});
    return !closing.signal.aborted;
  };
  const prune = () => {
    if (!steadyClock.isSteady()) return;
    underWay ??= pruneStore(connection, retention, { nowMs: effects.clock.nowMs(), pause, lock })
      .catch((error: unknown) => logFault("retention", error))
      .finally(() => {
        underWay = null;
      });
  };
  const timer = setInterval(prune, POLL_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await underWay;
    },
  };
}
