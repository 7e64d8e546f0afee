import * as z from "zod/mini";

declare const raw: unique symbol;

/** A reply's body that isn't one JSON value: bytes, or server-sent events. */
export type RawBody = { readonly [raw]: true };

const mediaTypes = new WeakMap<z.ZodMiniType, string>();

/** The reply of an operation that answers with bytes of a media type, such as `audio/*`. */
export function binary(mediaType: string): z.ZodMiniType<RawBody, RawBody> {
  const reply = z.custom<RawBody>();
  mediaTypes.set(reply, mediaType);
  return reply;
}

/** The reply of an operation that answers with server-sent events. */
export const eventStream = binary("text/event-stream");

/** The media type of a reply that isn't JSON; null for JSON. */
export function findMediaType(reply: z.ZodMiniType): string | null {
  return mediaTypes.get(reply) ?? null;
}
