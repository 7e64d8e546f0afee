import { isPersonReplaced, reloadIfReplaced } from "@/components/session/page-person";
import { ProblemError, signedOut } from "@/lib/console/gateway/problem";

/**
 * Makes a request as the person whom this page was made for. If another tab has signed in somebody else, or nobody, it
 * isn't made, and the page is loaded anew.
 * @throws ProblemError
 */
export async function asPagePerson<Reply>(request: () => Promise<Reply>): Promise<Reply> {
  if (!isPersonReplaced()) return request();
  reloadIfReplaced();
  throw new ProblemError(signedOut);
}
