import { type ChangeContext, systemChange, type Write } from "../../changes/change";
import type { CallbackClaims } from "../../tasks/callbacks/callback-claims";
import { runCallbackSender } from "../../tasks/callbacks/callback-sender";
import {
  type CallbackTarget,
  CallbackTargetFault,
  readCallbackTarget,
} from "../../tasks/callbacks/callback-target";
import { createPoster, deriveCallbackSecret, projectSecrets } from "../../tasks/callbacks/post-callback";
import type { ProjectCallback } from "../../tasks/callbacks/task-callbacks.sql";
import type { GatewayOptions, StoreOptions } from "../gateway-options";
import type { Stores } from "../open-stores";

/** The longest delays before a due message is sent. */
const ALERTS_POLL_MS = 1_000;
const PROJECTS_POLL_MS = 500;

/**
 * Delivers the messages of fired alerts, including those that an earlier process left. Null without a callback address.
 */
export function openAlertCallbacks(
  { runtime, secret, logFault }: Pick<StoreOptions, "runtime" | "secret" | "logFault">,
  { alertClaims, owner, isAlone }: Pick<Stores, "alertClaims" | "owner" | "isAlone">,
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
      runtime,
      logFault,
    },
    { everyMs: ALERTS_POLL_MS, isAlone },
  );
}

type ProjectSenderOptions = Pick<GatewayOptions, "runtime" | "secret" | "logFault" | "callbackHosts">;

/**
 * Delivers the ends of tasks and of responses of the background to their callback URLs, including messages that an
 * earlier process left.
 */
export function openProjectCallbacks(
  options: ProjectSenderOptions,
  stores: Pick<
    Stores,
    "taskCallbackClaims" | "responseCallbackClaims" | "owner" | "isAlone" | "organization"
  >,
  context: ChangeContext,
): { close(): Promise<void> } {
  const { owner, isAlone, organization } = stores;
  const writeTask: Write = (work) => systemChange(context, "task", work);
  const writeResponse: Write = (work) => systemChange(context, "response", work);
  const senders = [
    stores.taskCallbackClaims(writeTask, owner, organization.currency),
    stores.responseCallbackClaims(writeResponse, owner),
  ].map((claims) => runProjectSender(options, claims, isAlone));
  return { close: async () => void (await Promise.all(senders.map((sender) => sender.close()))) };
}

function runProjectSender(
  { runtime, secret, logFault, callbackHosts }: ProjectSenderOptions,
  claims: CallbackClaims<ProjectCallback>,
  isAlone: boolean,
): { close(): Promise<void> } {
  return runCallbackSender(
    {
      claims,
      findReceiver: ({ url, projectId, secret: version }) => {
        if (url === null) throw new CallbackTargetFault("can't be decrypted: GATEHOUSE_SECRET is another.");
        return {
          post: createPoster(readCallbackTarget(url, callbackHosts)),
          secrets: projectSecrets(secret, projectId, version, runtime.clock.nowMs()),
        };
      },
      runtime,
      logFault,
    },
    { everyMs: PROJECTS_POLL_MS, isAlone },
  );
}
