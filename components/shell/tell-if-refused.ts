import { unstable_rethrow } from "next/navigation";
import { reloadIfReplaced } from "../session/page-person";
import { toast } from "../ui/dialog/toast";
import { explainLostConsole, type PossibleEffect } from "../ui/states/explain-lost-console";

type ActionOutcome = { readonly ok: true } | { readonly ok: false; readonly message: string };

/**
 * Runs an action whose menu is closed by then: a toast says why it failed. It isn't run in the name of another person
 * who has signed in meanwhile: the page is loaded anew.
 * @param effect what it may have done although its reply was lost.
 * @returns true if it succeeded.
 */
export async function tellIfRefused(
  action: () => Promise<ActionOutcome>,
  effect: PossibleEffect,
): Promise<boolean> {
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
