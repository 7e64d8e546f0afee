import type { SentRequest, ServerReply } from "./server-reply";

/**
 * Sends a request and reads its reply, until `signal` aborts. What `read` leaves of the reply is not awaited.
 * @throws the signal's reason, the connection's error, or what `read` throws.
 */
export async function withReply<Result>(
  send: () => SentRequest,
  signal: AbortSignal,
  read: (reply: ServerReply) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const request = send();
  const cancel = () => request.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await read(await request.reply);
  } finally {
    signal.removeEventListener("abort", cancel);
    // Has no effect on a reply that was read to its end.
    cancel();
  }
}
