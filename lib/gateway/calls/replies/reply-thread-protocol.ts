import type { EmbeddingForm } from "@/lib/contract/operations/calls/embeddings";
import type { Endpoint } from "../../providers/provider-client";
import type { Chunk } from "../anthropic/message-events";
import type { MessageReply } from "../anthropic/translate-reply";
import type { CompletionFacts, CompletionPlaces } from "./completion-facts";
import type { EventFacts } from "./event-facts";

type Pieces = readonly Uint8Array<ArrayBuffer>[];

/** Questions about a provider's reply for the thread. */
export type ReplyQuestion =
  | { kind: "completion"; endpoint: Endpoint; form: EmbeddingForm | undefined; pieces: Pieces }
  | { kind: "message"; pieces: Pieces; options: MessageReply }
  | { kind: "events"; pieces: Pieces }
  | { kind: "event"; pieces: Pieces }
  | { kind: "chunk"; pieces: Pieces };

/** The answers, in the order of the questions; "unreadable" is possible for each. */
export type ReplyAnswer =
  | { kind: "completion"; facts: CompletionFacts; places: CompletionPlaces; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "message"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "events"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "event"; facts: EventFacts }
  | { kind: "chunk"; chunk: Chunk }
  | { kind: "unreadable"; reason: string };
