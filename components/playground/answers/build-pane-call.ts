import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import type { ProblemEvent } from "@/lib/console/streaming/define-streaming-action";
import type { StoredAnswer } from "@/lib/console/streaming/stream-chat";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { callBody } from "../calls/call-body";
import { buildMediaCall, toRecordingFile } from "../media/media-call";
import { findOtherFamily } from "../media/media-fields";
import type { Message } from "../messages/message";
import type { Pane } from "../panes/pane";
import { findSettings, type Workbench } from "../workbench";
import type { CallActions } from "./call-actions";

/** Opens the stream of an answer under an id of this page's choice. */
export type OpenStream = (streamId: string) => Promise<ReadableStream<ChatEvent | ProblemEvent>>;

interface PaneCall {
  /** The request's body, as a program would send it. */
  readonly body: object;
  /** Set if the gateway stores the answer. */
  readonly keptAs?: StoredAnswer | undefined;
  readonly open: OpenStream;
}

interface PaneCallOptions {
  readonly model: OrganizationModel | undefined;
  readonly projectId: string | null;
  readonly calls: Pick<CallActions, "sendCall" | "sendMedia">;
  /** The name under which the gateway stores the answer; undefined if the call ends with its page. */
  readonly keepAs: string | undefined;
}

/** Returns the call that answers a pane's conversation. The settings must be valid. */
export function buildPaneCall(
  workbench: Workbench,
  pane: Pane,
  { model, projectId, calls, keepAs }: PaneCallOptions,
): PaneCall {
  const runAs = workbench.runAs?.id;
  const shared = { projectId, ...(runAs && { runAs }) };
  const media = buildMediaCall(model, pane.options, pane.messages);
  if (media) {
    const { family, body, recording, translates } = media;
    const file = toRecordingFile(recording);
    const input = {
      ...shared,
      family,
      body,
      ...(file && { recording: file }),
      ...(translates && { translates }),
    };
    return { body, open: (streamId) => calls.sendMedia(streamId, input) };
  }
  const settings = findSettings(workbench, pane);
  const { endpoint } = settings;
  const body = callBody(pane.model, settings, pane.messages);
  const input = { ...shared, endpoint, body: { ...body }, ...(keepAs !== undefined && { keepAs }) };
  return {
    body,
    keptAs: keepAs === undefined ? undefined : { name: keepAs, endpoint },
    open: (streamId) => calls.sendCall(streamId, input),
  };
}

/** Returns the messages that a call sends: to a model that isn't a chat model, the last one of the person. */
export function listSent(
  model: OrganizationModel | undefined,
  messages: readonly Message[],
): readonly Message[] {
  return findOtherFamily(model) === null
    ? messages
    : messages.filter(({ role }) => role === "user").slice(-1);
}
