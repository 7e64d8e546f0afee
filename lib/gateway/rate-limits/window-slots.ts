import type { LimitWindow } from "@/lib/contract/calls/rate-limit-table";

/**
 * Slots of half a second in a minute, which never has more than 122. Slots of one second in a day, widened up to 512
 * seconds where a project and model are busy in more than 255 of them.
 */
export const windowSlots: Readonly<Record<LimitWindow, { slotMs: number; maxSlots: number }>> = {
  minute: { slotMs: 500, maxSlots: 122 },
  day: { slotMs: 1_000, maxSlots: 256 },
};
