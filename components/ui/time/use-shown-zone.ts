import { useIsHydrated } from "../browser/use-is-hydrated";
import { findOrganizationZone } from "../organization-look";
import type { Zone } from "./describe-time";

/**
 * The zone to write times in: the organization's if it has one. Otherwise UTC on the server and while the browser takes
 * over its page, then the viewer's.
 */
export function useShownZone(): Zone {
  const isHydrated = useIsHydrated();
  return isHydrated || findOrganizationZone() !== null ? "viewer" : "UTC";
}
