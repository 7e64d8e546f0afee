import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { findPlainPiece, parseMessageEvent } from "./message-event";
import { parseResponseEvent } from "./response-event";
import { findPlainDelta, mayBeFinished, type ParsedEvent, type PlainDelta, parseEvent } from "./stream-event";

/** How the events of a stream are read in one protocol. */
export interface EventForm {
  /** The text of an event that has nothing else, found without parsing; null for any other event. */
  findPlainDelta(event: Buffer): PlainDelta | null;
  /** Whether an event with text may also end an answer. */
  mayBeFinished(event: Buffer): boolean;
  /** @param parse throws for invalid JSON. */
  parse(event: Buffer, parse: (text: string) => unknown): ParsedEvent;
}

/** By the protocol of the stream. */
export const eventForms: Readonly<Record<ProviderProtocol, EventForm>> = {
  chat: { findPlainDelta, mayBeFinished, parse: parseEvent },
  // The numbers of events differ, so that no two are alike.
  responses: { findPlainDelta: () => null, mayBeFinished: () => false, parse: parseResponseEvent },
  messages: { findPlainDelta: findPlainPiece, mayBeFinished: () => false, parse: parseMessageEvent },
};
