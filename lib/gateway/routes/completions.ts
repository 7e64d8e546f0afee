import { completionOperations, messageRequest } from "@/lib/contract/operations/completions";
import { tooManyAtOnce } from "../admission/refuse";
import type { Caller } from "../auth/caller";
import { completeMessage } from "../completions/anthropic/complete-message";
import { parseChatRequest } from "../completions/chat-request";
import { completeOnce, type OnceContext, readIdempotency } from "../completions/complete-once";
import type { BodyReader } from "../http/body-reader";
import { letRest } from "../http/listener";
import { parseJsonObject } from "../http/parse-json";
import { parseWith } from "../http/parse-with";
import { invalid } from "../ports/refusal";
import type { ProjectStore } from "../projects/project-store";
import type { StreamedCall, StreamedHandlers } from "./handler";
import { namedProject } from "./named-project";

export interface CompletionRoutesContext extends OnceContext {
  readonly projects: ProjectStore;
  readonly bodyReader: BodyReader;
}

export function completionRoutes(context: CompletionRoutesContext): StreamedHandlers {
  const { bodyBounds } = completionOperations.createChatCompletion;
  const read = async ({ request, requestId, listener, caller }: StreamedCall, form: string) => {
    // Before anything is read: what is refused under overload has to cost next to nothing, or the rest can't be served.
    const { inFlight } = context.admissions;
    if (!inFlight.hasRoom(caller.keyId)) throw tooManyAtOnce(inFlight.max);
    const projectId = await payingProject(context.projects, caller, request.headers);
    const address = () => listener.requestIP(request)?.address ?? null;
    const body = parseJsonObject(
      await context.bodyReader.read(request, bodyBounds.bytes, address),
      bodyBounds,
    );
    const key = request.headers.get("idempotency-key");
    const idempotency = key === null ? null : readIdempotency(key, { projectId, form, body: body.text });
    const { keyId } = caller;
    const streamEnds = () => letRest(listener, request);
    const call = { requestId, projectId, keyId, clientSignal: request.signal, streamEnds, idempotency };
    return { body, call };
  };
  return {
    createChatCompletion: async (streamed) => {
      const { body, call } = await read(streamed, "chat completion");
      return completeOnce(context, { ...call, request: parseChatRequest(body) });
    },
    createMessage: async (streamed) => {
      const isAnthropic = streamed.request.headers.has("anthropic-version");
      const { body, call } = await read(streamed, isAnthropic ? "message" : "chat message");
      if (isAnthropic) return completeMessage(context, call, body);
      parseWith(messageRequest, body.value);
      return completeOnce(context, { ...call, request: parseChatRequest(body) });
    },
  };
}

/** @throws Refusal 400 where no project is named, or 404. */
async function payingProject(projects: ProjectStore, caller: Caller, headers: Headers): Promise<string> {
  const projectId = await namedProject(projects, caller, headers);
  if (projectId !== null) return projectId;
  const message = "This key belongs to no project: name the project that pays, in the header OpenAI-Project.";
  throw invalid("OpenAI-Project", message, "missing_field");
}
