import { removeDrafts, setSigningOut } from "../drafts/drafts";
import type { ShellActions } from "./shell-data";
import { tellIfRefused } from "./tell-if-refused";

/** Signs out, and then removes all drafts, so that the next person doesn't see them. While the session goes on, they stay. */
export async function signOutHere(signOut: ShellActions["signOut"]): Promise<void> {
  setSigningOut(true);
  try {
    await tellIfRefused(signOut);
    setSigningOut(false);
  } catch (redirect) {
    removeDrafts();
    throw redirect;
  }
}
