import { useSyncExternalStore } from "react";

const never = () => () => {};
const yes = () => true;
const no = () => false;

/**
 * False on the server and while the browser takes over its page, true afterwards. For what the server doesn't know,
 * such as the viewer's zone: rendered at once, it would differ from the server's page, and React would discard that.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(never, yes, no);
}
