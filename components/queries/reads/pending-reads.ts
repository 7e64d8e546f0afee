import { hashKey, type QueryClient } from "@tanstack/react-query";
import { createContext } from "react";
import type { GatewayReply } from "@/lib/console/gateway/problem";

/**
 * A read that the server still makes while it sends the page, whose end brings the reply as JSON; null if it failed
 * there.
 */
export interface PendingRead {
  readonly queryKey: readonly unknown[];
  readonly reply: PromiseLike<string | null>;
}

type Success = Extract<GatewayReply<unknown>, { ok: true }>;

/** The replies that the page brings later, each for the first who needs it. */
export class PendingReplies {
  readonly #replies: Map<string, PendingRead>;
  readonly #late: Map<string, PendingRead>;

  constructor(pendingReads: readonly PendingRead[], lateReads: readonly PendingRead[] = []) {
    this.#replies = byKey(pendingReads);
    this.#late = byKey(lateReads);
  }

  /** Returns a successful reply; null if the page brings none, so that the browser has to make the read itself. */
  async take(queryKey: readonly unknown[]): Promise<Success | null> {
    const name = hashKey(queryKey);
    const pendingRead = this.#replies.get(name) ?? this.#late.get(name);
    this.#replies.delete(name);
    this.#late.delete(name);
    return pendingRead ? readReply(pendingRead) : null;
  }

  /**
   * Drops replies that no component asked for when it mounted, since a later reader needs fresh data. Late ones, of
   * what mounts once the page is painted, go into the cache as they come, unless they are taken before.
   */
  async settle(cache: Pick<QueryClient, "setQueryData">): Promise<void> {
    this.#replies.clear();
    const late = [...this.#late].map(async ([name, read]) => {
      const reply = await readReply(read);
      if (this.#late.delete(name) && reply) cache.setQueryData(read.queryKey, reply);
    });
    await Promise.all(late);
  }
}

export const PendingRepliesContext = createContext(new PendingReplies([]));

function byKey(reads: readonly PendingRead[]): Map<string, PendingRead> {
  return new Map(reads.map((read) => [hashKey(read.queryKey), read]));
}

async function readReply({ reply }: PendingRead): Promise<Success | null> {
  try {
    const text = await reply;
    const parsed: GatewayReply<unknown> | null = text ? JSON.parse(text) : null;
    return parsed?.ok ? parsed : null;
  } catch {
    // The connection broke before the page's end.
    return null;
  }
}
