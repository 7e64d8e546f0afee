import type { ProviderConnection } from "../provider-connection";
import { ProviderRefusal } from "../provider-failure";
import type { FailureCause } from "./failure-cause";

const billed: ReadonlySet<FailureCause | null> = new Set([
  "lost_connection",
  "no_first_byte",
  "timed_out",
  "server_error",
]);

/** Statuses by which a server says that it has done nothing. */
const untouched: ReadonlySet<number | null> = new Set([502, 503, 529]);

/** Whether a provider may bill an attempt that failed like this: it has read the request, and may have answered it. */
export function mayBeBilled(failed: ProviderConnection, failure: unknown): boolean {
  if (!failed.isSent || failed.wasEndedByCaller || !(failure instanceof ProviderRefusal)) return false;
  return billed.has(failure.why) && !untouched.has(failure.upstreamStatus);
}
