import { openReply } from "./open-reply";
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
  const { reply, close } = await openReply(send, signal);
  try {
    return await read(reply);
  } finally {
    close();
  }
}
