import { setTimeout as rest } from "node:timers/promises";
import { cutStore } from "../store/cut-store";
import { type RetentionDraft, toRetention } from "../store/retention";
import type { StoreOptions, Stores } from "./open-stores";

/** How often it is looked for what has grown too old, and the rest between two steps of deleting it. */
const LOOK_MS = 60_000;
const REST_MS = 100;

/** Deletes in the background what is older than it is kept. */
export function openRetention(
  { effects, logFault }: Pick<StoreOptions, "effects" | "logFault">,
  { connection }: Pick<Stores, "connection">,
  draft: RetentionDraft,
): { close(): Promise<void> } {
  const retention = toRetention(draft);
  const closing = new AbortController();
  let underWay: Promise<void> | null = null;
  const pause = async () => {
    await rest(REST_MS, undefined, { signal: closing.signal }).catch(() => {});
    return !closing.signal.aborted;
  };
  const cut = () => {
    underWay ??= cutStore(connection, retention, { nowMs: effects.clock.nowMs(), pause })
      .catch((error: unknown) => logFault("retention", error))
      .finally(() => {
        underWay = null;
      });
  };
  cut();
  const timer = setInterval(cut, LOOK_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await underWay;
    },
  };
}
