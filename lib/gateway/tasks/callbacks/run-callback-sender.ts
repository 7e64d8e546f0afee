import type { Callback } from "./callback-claims";
import { CallbackSender } from "./callback-sender";

/** Sends due callbacks every `everyMs` until it is closed. */
export function runCallbackSender<Message extends Callback>(
  options: ConstructorParameters<typeof CallbackSender<Message>>[0],
  everyMs: number,
): { close(): Promise<void> } {
  const sender = new CallbackSender(options);
  const { claims, logFault } = options;
  // The folder is locked, so the claims of a process that died are free at once.
  claims.releaseOthers().catch((error: unknown) => logFault("callbacks", error));
  const timer = setInterval(() => void sender.sendDue(), everyMs);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
      return sender.close();
    },
  };
}
