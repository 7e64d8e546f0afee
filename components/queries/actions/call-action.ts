import type { PossibleEffect } from "@/components/ui/states/explain-lost-console";
import type { ActionReply } from "@/lib/console/gateway/problem";
import { asPagePerson, describeConsoleFailure } from "../reads/fetch-read";

/**
 * Calls a server action as the person whom this page was made for. Never rejects: if no reply came, the problem says
 * what to do, by what the call may have done all the same.
 */
export async function callAction<Data>(
  call: () => Promise<ActionReply<Data>>,
  effect: PossibleEffect,
): Promise<ActionReply<Data>> {
  try {
    return await asPagePerson(call);
  } catch (error) {
    return { ok: false, ...describeConsoleFailure(error, effect) };
  }
}
