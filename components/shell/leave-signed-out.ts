import { forgetDrafts } from "../form/drafts";
import { askToLeave } from "../form/unsaved";

/** Signs out, asked about first where something is unsaved; nothing that was typed is kept for who comes next. */
export function leaveSignedOut(signOut: () => void): void {
  askToLeave(() => {
    forgetDrafts();
    signOut();
  });
}
