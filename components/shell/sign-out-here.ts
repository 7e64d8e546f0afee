import { beginSignOut, cancelSignOut, removeDrafts } from "../drafts/drafts";
import type { ShellActions } from "./shell-data";
import { tellIfRefused } from "./tell-if-refused";

/** Signs out, and then removes all drafts, so that the next person doesn't see them. While the session goes on, they stay. */
export async function signOutHere(signOut: ShellActions["signOut"]): Promise<void> {
  beginSignOut();
  try {
    await tellIfRefused(signOut, "sign-out");
    cancelSignOut();
  } catch (redirect) {
    removeDrafts();
    throw redirect;
  }
}
