import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { PairSlots } from "../ledger/ticks/tick";
import { DAY_SLOT_MS, MINUTE_SLOT_MS, MINUTE_SLOTS } from "../ledger/ticks/window-functions.sql";

/** The place of each limit in the amounts of a minute's and of a day's slots. */
const MINUTE_LIMITS = 4;
const TOKENS = 1;

/**
 * Milliseconds until a limit of a project and model has room, by the slots that a refusal came with.
 * @param limit its place in the table of limits. @param used what counts now, with a debt of tokens.
 */
export function computeWait(
  slots: PairSlots,
  limit: number,
  { used, max, requested }: { readonly used: number; readonly max: number; readonly requested: number },
  now: number,
): number {
  const isMinute = limit < MINUTE_LIMITS;
  const closed = isMinute ? slots.minute : slots.day;
  const place = isMinute ? limit : limit - MINUTE_LIMITS;
  const width = isMinute ? MINUTE_SLOT_MS : DAY_SLOT_MS;
  const debt = limit === TOKENS ? slots.debt : 0;
  const awaited = debt + requested;
  // First the excess over the limit leaves; then the full window empties once per cycle.
  const cycles = debt > 0 && max > 0 ? Math.ceil(awaited / max) - 1 : 0;
  const missing = used - debt - max + awaited - cycles * max;
  let freed = 0;
  let lastSlot = Math.floor(now / width);
  for (const [slot, amounts] of closed) {
    freed += amounts[place] ?? 0;
    if (freed < missing) continue;
    lastSlot = slot;
    break;
  }
  const leavesAt = (lastSlot + 1) * width + (isMinute ? MINUTE_MS : DAY_MS);
  const wait = missing <= 0 ? 0 : leavesAt - now;
  return cycles * (MINUTE_SLOTS + 1) * MINUTE_SLOT_MS + Math.max(1, Math.ceil(wait));
}
