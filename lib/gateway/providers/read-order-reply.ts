import { isUnsent } from "../http/outbound/allowed-addresses";
import { type SentRequest, type ServerReply, withReply } from "../http/outbound/server-reply";
import { OrderNotSent } from "./media-client";

/**
 * Sends a request about an order and reads its reply, until `signal` aborts.
 * @throws OrderNotSent if nothing was sent; another error if there is no whole reply.
 */
export async function readOrderReply<Result>(
  send: () => SentRequest,
  signal: AbortSignal,
  readBody: (reply: ServerReply) => Promise<Result>,
): Promise<Result> {
  try {
    return await withReply(send, signal, readBody);
  } catch (error) {
    throw isUnsent(error) ? new OrderNotSent(String(error)) : error;
  }
}
