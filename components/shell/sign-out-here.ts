import { finishBeforeSignOut } from "../session/before-sign-out";
import { forgetPerson } from "../session/page-person";
import { beginSignOut, cancelSignOut, removeDrafts } from "../ui/drafts/drafts";
import type { ShellActions } from "./shell-data";
import { tellIfRefused } from "./tell-if-refused";

/**
 * Ends what needs the session, signs out, and then removes all drafts, so that the next person doesn't see them. While
 * the session goes on, they stay.
 */
export async function signOutHere(signOut: ShellActions["signOut"]): Promise<void> {
  beginSignOut();
  await finishBeforeSignOut();
  try {
    await tellIfRefused(signOut, "sign-out");
    cancelSignOut();
  } catch (redirect) {
    removeDrafts();
    forgetPerson();
    throw redirect;
  }
}
