import { isUnsent } from "./is-unsent";
import { OrderNotSent } from "./media-client";
import type { ProviderReply, SentRequest } from "./provider-client";

/**
 * Sends a request about an order and reads its reply, until `signal` aborts.
 * @throws OrderNotSent if nothing was sent; another error if there is no whole reply.
 */
export async function readOrderReply<Result>(
  send: () => SentRequest,
  signal: AbortSignal,
  readBody: (reply: ProviderReply) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const request = send();
  const cancel = () => request.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await readBody(await request.reply);
  } catch (error) {
    throw isUnsent(error) ? new OrderNotSent(String(error)) : error;
  } finally {
    signal.removeEventListener("abort", cancel);
    // Has no effect on a reply that was read to its end.
    cancel();
  }
}
