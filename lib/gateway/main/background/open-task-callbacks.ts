import { type ChangeContext, systemChange, type Write } from "../../changes/change";
import { runCallbackSender } from "../../tasks/callbacks/callback-sender";
import { CallbackTargetFault, readCallbackTarget } from "../../tasks/callbacks/callback-target";
import { createPoster, projectSecrets } from "../../tasks/callbacks/post-callback";
import type { GatewayOptions } from "../gateway-options";
import type { Stores } from "../open-stores";

/** The longest delay before a due message is sent. */
const POLL_MS = 500;

/** Delivers the ends of tasks to their callback URLs, including messages that an earlier process left. */
export function openTaskCallbacks(
  {
    effects,
    secret,
    logFault,
    callbackHosts,
  }: Pick<GatewayOptions, "effects" | "secret" | "logFault" | "callbackHosts">,
  { taskCallbackClaims, owner, organization }: Pick<Stores, "taskCallbackClaims" | "owner" | "organization">,
  context: ChangeContext,
): { close(): Promise<void> } {
  const write: Write = (work) => systemChange(context, "task", work);
  const claims = taskCallbackClaims(write, owner, organization.currency);
  return runCallbackSender(
    {
      claims,
      findReceiver: ({ url, projectId, secret: version }) => {
        if (url === null) throw new CallbackTargetFault("can't be decrypted: GATEHOUSE_SECRET is another.");
        return {
          post: createPoster(readCallbackTarget(url, callbackHosts)),
          secrets: projectSecrets(secret, projectId, version, effects.clock.nowMs()),
        };
      },
      effects,
      logFault,
    },
    POLL_MS,
  );
}
