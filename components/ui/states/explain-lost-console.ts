import { unstable_isUnrecognizedActionError } from "next/navigation";

/**
 * What a request to the console's server may have done although its reply was lost. "none" also if the page repeats it
 * by itself.
 */
export type PossibleEffect = "none" | "call" | "change" | "repeatable change" | "project switch" | "sign-out";

/**
 * Says why a request to the console's server got no reply, and what to do. Reports errors that aren't about the
 * connection.
 */
export function explainLostConsole(error: unknown, effect: PossibleEffect): string {
  if (isOutdatedPage(error))
    return `The console has been updated since this page was opened. ${outdated[effect]}`;
  if (!(error instanceof TypeError)) reportError(error);
  return lost[effect];
}

/** Whether a page calls an action that the console no longer has. Trying again can't help. */
export const isOutdatedPage = unstable_isUnrecognizedActionError;

const reload = "Reload the page and try again.";
const outdated: Readonly<Record<PossibleEffect, string>> = {
  none: reload,
  call: `Nothing was sent. ${reload}`,
  change: `Nothing was saved. ${reload}`,
  "repeatable change": `Nothing was saved. ${reload}`,
  "project switch": reload,
  "sign-out": `You are still signed in. ${reload}`,
};

const lost: Readonly<Record<PossibleEffect, string>> = {
  none: "The console isn’t responding. Check your connection, then try again.",
  call: "The console isn’t responding. Check your connection. The call may have been made and charged: look for it in the requests before you send it again.",
  change:
    "The console didn’t answer. It may have been saved. Check your connection and reload the page to see it before you try again.",
  "repeatable change":
    "The console didn’t answer. It may have been saved. Check your connection and send this again: it is saved only once.",
  "project switch":
    "The console didn’t answer. The project may have been switched. Check your connection and reload the page to see it.",
  "sign-out":
    "The console didn’t answer. You may still be signed in. Check your connection, then sign out again.",
};
