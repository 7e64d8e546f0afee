import type { ActionReply } from "@/lib/console/problem";
import type { Conversation, ConversationDraft } from "@/lib/contract/operations/conversations";
import { titleOf } from "./kept-content";
import { type Bench, newId } from "./pane";

export type KeepingState =
  | { readonly kind: "unsaved" | "saving" | "saved" }
  | { readonly kind: "failed"; readonly reason: string }
  /** Another tab or session has kept something else meanwhile; null where it has deleted it. */
  | { readonly kind: "stale"; readonly current: Conversation | null };

/** Where a workbench is kept, and how that stands. */
export interface Keeping {
  readonly id: string;
  /** The version that the gateway has; null before the first save. */
  readonly version: string | null;
  /** The title that somebody gave it; null where it is called by what it begins with. */
  readonly title: string | null;
  readonly isShared: boolean;
  /** Somebody else's, which is shown: what is written from here on is a conversation of one's own. */
  readonly isForeign: boolean;
  /** Prints of what this tab has read or sent: where the gateway has one of these, nobody else has written. */
  readonly known: readonly string[];
  readonly state: KeepingState;
}

export function newKeeping(): Keeping {
  const state = { kind: "unsaved" as const };
  return {
    id: `conv_${newId()}`,
    version: null,
    title: null,
    isShared: false,
    isForeign: false,
    known: [],
    state,
  };
}

/** What a tab goes on with of what the gateway has. */
export function ownOf({ version, title, is_shared: isShared }: Conversation, bench: Bench) {
  return { version: version ?? null, title: title === titleOf(bench) ? null : title, isShared };
}

/** What the gateway is asked for. */
export interface ConversationGateway {
  save(input: { id: string; draft: ConversationDraft; version?: string }): Promise<ActionReply<Conversation>>;
  read(id: string): Promise<ActionReply<Conversation>>;
}

export interface Timers {
  set(work: () => void, ms: number): number;
  clear(timer: number): void;
}
