import { MINUTE_MS } from "@/lib/contract/durations";

/**
 * How long a process's claim on a callback lasts. A try takes at most 15 s, so a sender that hasn't stored its outcome
 * by then is gone, whatever its clock.
 */
export const CALLBACK_CLAIM_MS = MINUTE_MS;

/** How long a process's claim on a batch or a task lasts unless it is renewed: then another takes the work over. */
export const WORK_CLAIM_MS = 5 * MINUTE_MS;

/** The time between two renewals, of which several may fail. */
export const WORK_RENEW_MS = WORK_CLAIM_MS / 5;

/**
 * How long after a renewal its holder may work without asking. The rest of the claim is longer than the start of a
 * batch's line, or the writing of its results, can take.
 */
export const WORK_SURE_MS = WORK_CLAIM_MS - 2 * MINUTE_MS;
