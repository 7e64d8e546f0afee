import { unstable_rethrow } from "next/navigation";
import { finishBeforeSignOut, forgetPerson, reloadIfReplaced } from "@/components/session/page-person";
import { toast } from "../ui/dialog/toast";
import { beginSignOut, cancelSignOut, removeDrafts } from "../ui/drafts/drafts";
import { explainLostConsole, type PossibleEffect } from "../ui/states/explain-lost-console";
import type { ShellActions } from "./shell-data";

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

type ActionOutcome = { readonly ok: true } | { readonly ok: false; readonly message: string };

/**
 * Runs an action whose menu is closed by then: a toast says why it failed. It isn't run in the name of another person
 * who has signed in meanwhile: the page is loaded anew.
 * @param effect what it may have done although its reply was lost.
 * @returns true if it succeeded.
 */
async function tellIfRefused(action: () => Promise<ActionOutcome>, effect: PossibleEffect): Promise<boolean> {
  if (reloadIfReplaced()) return false;
  try {
    const outcome = await action();
    if (!outcome.ok) toast({ message: outcome.message, tone: "bad" });
    return outcome.ok;
  } catch (error) {
    unstable_rethrow(error);
    toast({ message: explainLostConsole(error, effect), tone: "bad" });
    return false;
  }
}
