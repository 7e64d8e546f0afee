import { useIsHydrated } from "../browser/use-is-hydrated";
import type { Zone } from "./describe-time";

/** The zone to write times in: UTC on the server and while the browser takes over its page, then the viewer's. */
export function useShownZone(): Zone {
  return useIsHydrated() ? "viewer" : "UTC";
}
