import type { Secret } from "../../secrets/secret";
import { describePostError } from "./describe-post-error";
import type { CallbackReply, PostCallback } from "./post-callback";
import { signCallback } from "./sign-callback";

/** A message's destination, and the secrets it is signed with. */
export interface CallbackReceiver {
  readonly post: PostCallback;
  readonly secrets: Secret | readonly Secret[];
}

/** A message at the time of one try. */
interface SignedMessage {
  readonly id: string;
  /** JSON. */
  readonly body: string;
  readonly atMs: number;
}

/** Signs a message and sends it once. Returns the reply, or the reason why none came; never rejects. */
export async function postSigned(
  findReceiver: () => CallbackReceiver,
  message: SignedMessage,
  signal: AbortSignal,
): Promise<CallbackReply | string> {
  try {
    const { post, secrets } = findReceiver();
    return await post({ headers: signCallback(secrets, message), body: message.body }, signal);
  } catch (error) {
    return describePostError(error);
  }
}

/** Why a try failed; null for a delivered message. */
export function describeCallbackFailure(reply: CallbackReply | string): string | null {
  if (typeof reply === "string") return reply;
  return reply.status >= 200 && reply.status < 300 ? null : `The receiver answered ${reply.status}`;
}

/** The status of the reply; null without a reply. */
export function readCallbackStatus(reply: CallbackReply | string): number | null {
  return typeof reply === "string" ? null : reply.status;
}
