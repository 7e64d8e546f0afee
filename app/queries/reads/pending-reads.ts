import { hashKey } from "@tanstack/react-query";
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

/** The replies that the page brings later, each for the first who needs it. */
export class PendingReplies {
  readonly #replies: Map<string, PendingRead["reply"]>;
  readonly #late: Map<string, PendingRead["reply"]>;

  constructor(pendingReads: readonly PendingRead[], lateReads: readonly PendingRead[] = []) {
    this.#replies = byKey(pendingReads);
    this.#late = byKey(lateReads);
  }

  /** Returns a successful reply; null if the page brings none, so that the browser has to make the read itself. */
  async take(queryKey: readonly unknown[]): Promise<Extract<GatewayReply<unknown>, { ok: true }> | null> {
    const name = hashKey(queryKey);
    const pendingReply = this.#replies.get(name) ?? this.#late.get(name);
    this.#replies.delete(name);
    this.#late.delete(name);
    try {
      const text = await pendingReply;
      const reply: GatewayReply<unknown> | null = text ? JSON.parse(text) : null;
      return reply?.ok ? reply : null;
    } catch {
      // The connection broke before the page's end.
      return null;
    }
  }

  /**
   * Drops replies that no component asked for when it mounted, since a later reader needs fresh data. Late ones stay
   * for what mounts once the page is painted.
   */
  forget(): void {
    this.#replies.clear();
  }
}

export const PendingRepliesContext = createContext(new PendingReplies([]));

function byKey(reads: readonly PendingRead[]): Map<string, PendingRead["reply"]> {
  return new Map(reads.map(({ queryKey, reply }) => [hashKey(queryKey), reply]));
}
