import type { Changes } from "../changes/change";
import { Feed } from "../changes/feed";
import { oneAtATime } from "../ports/one-at-a-time";
import { RateLimitMirror } from "../rate-limits/rate-limit-mirror";
import type { StoreOptions, Stores } from "./open-stores";

/** Loads what calls need into memory, and lets it follow every change that is committed, here or in another process. */
export async function openMirrors({ effects }: Pick<StoreOptions, "effects">, stores: Stores) {
  const rateLimitMirror = new RateLimitMirror();
  const feed = new Feed(stores.changeLog, [rateLimitMirror.following(stores.rateLimits)]);
  await feed.open();
  const turn = oneAtATime();
  const changes: Changes = { turn, transactions: stores.transactions, feed, clock: effects.clock };
  return { changes, feed, inTurn: turn, rateLimitMirror };
}
