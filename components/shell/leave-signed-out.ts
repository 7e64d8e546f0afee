import { removeDrafts } from "../form/drafts";
import { confirmLeave } from "../form/unsaved";

/** Signs out and removes all drafts, so that the next person doesn't see them. Confirms first if anything is unsaved. */
export function leaveSignedOut(signOut: () => void): void {
  confirmLeave(() => {
    removeDrafts();
    signOut();
  });
}
