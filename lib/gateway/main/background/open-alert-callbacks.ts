import { type ChangeContext, systemChange, type Write } from "../../changes/change";
import { runCallbackSender } from "../../tasks/callbacks/callback-sender";
import type { CallbackTarget } from "../../tasks/callbacks/callback-target";
import { createPoster, deriveCallbackSecret } from "../../tasks/callbacks/post-callback";
import type { StoreOptions, Stores } from "../open-stores";

/** The longest delay before a due message is sent. */
const POLL_MS = 1_000;

/**
 * Delivers the messages of fired alerts, including those that an earlier process left. Null without a callback address.
 */
export function openAlertCallbacks(
  { effects, secret, logFault }: Pick<StoreOptions, "effects" | "secret" | "logFault">,
  { alertClaims, owner }: Pick<Stores, "alertClaims" | "owner">,
  context: ChangeContext,
  target: CallbackTarget | null,
): { close(): Promise<void> } | null {
  if (!target) return null;
  const write: Write = (work) => systemChange(context, "spend alert outbox", work);
  const claims = alertClaims(write, owner);
  const receiver = { post: createPoster(target), secrets: deriveCallbackSecret(secret) };
  return runCallbackSender(
    {
      claims,
      findReceiver: () => receiver,
      effects,
      logFault,
    },
    POLL_MS,
  );
}
