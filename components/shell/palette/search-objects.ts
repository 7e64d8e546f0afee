import { leaveForSignIn } from "../../session/leave-for-sign-in";
import { reloadIfReplaced } from "../../session/page-person";
import { isAnythingUndrafted } from "../../ui/dialog/unsaved";
import { explainLostConsole } from "../../ui/states/explain-lost-console";
import type { FindObjects, FoundObject } from "../shell-data";

export type SearchResult = {
  /** The text that was searched for. */
  text: string;
  objects: readonly FoundObject[];
  /** Why the search failed; null if it didn't. */
  fault: string | null;
};

/**
 * Searches for objects, which the person sees whom this page was made for. Never throws. If the session has ended, goes
 * to the sign-in screen, which returns here; unless that would lose what is on this page alone.
 */
export async function searchObjects(findObjects: FindObjects, text: string): Promise<SearchResult> {
  if (reloadIfReplaced()) return { text, objects: [], fault: null };
  const reply: Awaited<ReturnType<FindObjects>> = await findObjects(text).catch((error: unknown) => ({
    ok: false,
    message: explainLostConsole(error, "none"),
  }));
  if (!reply.ok && reply.code === "unauthenticated" && !isAnythingUndrafted()) leaveForSignIn();
  return reply.ok ? { text, objects: reply.data, fault: null } : { text, objects: [], fault: reply.message };
}

type Hits = { count: number; isSearching: boolean; search: string; fault: string | null };

/** What the palette found, in words. That nothing was found isn't said of a search that failed. */
export function describeHits({ count, isSearching, search, fault }: Hits): string {
  const found = count === 1 ? "1 result" : `${count} results`;
  if (fault !== null) return `${count > 0 ? `${found}. ` : ""}The search failed: ${fault}`;
  if (count > 0) return found;
  return isSearching ? "Searching…" : `Nothing is named “${search}”.`;
}
