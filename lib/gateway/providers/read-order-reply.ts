import { isUnsent } from "./is-unsent";
import { OrderNotSent } from "./media-client";
import type { ProviderReply, SentRequest } from "./provider-client";

/**
 * Sends a request about an order and reads its reply, until `signal` aborts.
 * @throws OrderNotSent where nothing was sent; another error where there is no whole reply.
 */
export async function readOrderReply<Result>(
  send: () => SentRequest,
  signal: AbortSignal,
  read: (reply: ProviderReply) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const sent = send();
  const cancel = () => sent.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await read(await sent.reply);
  } catch (error) {
    throw isUnsent(error) ? new OrderNotSent(String(error)) : error;
  } finally {
    signal.removeEventListener("abort", cancel);
    // Has no effect on a reply that was read to its end.
    cancel();
  }
}
