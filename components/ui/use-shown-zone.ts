import type { Zone } from "./describe-time";
import { useIsHydrated } from "./use-is-hydrated";

/** The zone to write times in: UTC on the server and while the browser takes over its page, then the viewer's. */
export function useShownZone(): Zone {
  return useIsHydrated() ? "viewer" : "UTC";
}
