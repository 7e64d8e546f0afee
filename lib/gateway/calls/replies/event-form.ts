import type { CallProtocol } from "@/lib/contract/calls/provider-protocols";
import { findPlainPiece, parseMessageEvent } from "./message-event";
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
export const eventForms: Readonly<Record<CallProtocol, EventForm>> = {
  chat: { findPlainDelta, mayBeFinished, parse: parseEvent },
  messages: { findPlainDelta: findPlainPiece, mayBeFinished: () => false, parse: parseMessageEvent },
};
