import type { SentRequest, ServerReply } from "./server-reply";

/** A reply that is being read. */
interface OpenReply {
  readonly reply: ServerReply;
  /** Ends the request; has no effect on a reply that was read to its end. */
  close(): void;
}

/**
 * Sends a request whose reply is read until its caller closes it, or until `signal` aborts.
 * @throws the signal's reason if it is aborted already, or the connection's error.
 */
export async function openReply(send: () => SentRequest, signal: AbortSignal): Promise<OpenReply> {
  signal.throwIfAborted();
  const request = send();
  const cancel = () => request.cancel();
  const close = () => {
    signal.removeEventListener("abort", cancel);
    cancel();
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return { reply: await request.reply, close };
  } catch (error) {
    close();
    throw error;
  }
}
