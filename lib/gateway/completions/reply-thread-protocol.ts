import type { Endpoint } from "../providers/provider-client";
import type { Chunk } from "./anthropic/message-events";
import type { MessageReply } from "./anthropic/translate-reply";
import type { CompletionFacts, UsagePlace } from "./completion-facts";
import type { EventFacts } from "./event-facts";

type Pieces = readonly Uint8Array<ArrayBuffer>[];

/** What the thread is asked of what a provider sent. */
export type ReplyQuestion =
  | { kind: "completion"; endpoint: Endpoint; pieces: Pieces }
  | { kind: "message"; pieces: Pieces; options: MessageReply }
  | { kind: "event"; pieces: Pieces }
  | { kind: "chunk"; pieces: Pieces };

/** Its answer to each, in the order they were asked; "unreadable" to any. */
export type ReplyAnswer =
  | { kind: "completion"; facts: CompletionFacts; usagePlace: UsagePlace; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "message"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "event"; facts: EventFacts }
  | { kind: "chunk"; chunk: Chunk }
  | { kind: "unreadable"; reason: string };
