import { completionOperations } from "@/lib/contract/operations/completions";
import { tooManyAtOnce } from "../admission/refuse";
import type { Caller } from "../auth/caller";
import { completeMessage } from "../completions/anthropic/complete-message";
import { callableModel } from "../completions/callable-model";
import { completeOnce, type OnceContext, readIdempotency } from "../completions/complete-once";
import type { BodyForm } from "../completions/read-chat-request";
import type { RequestReader } from "../completions/request-reader";
import type { BodyReader } from "../http/body-reader";
import { letRest } from "../http/listener";
import { invalid } from "../ports/refusal";
import type { ProjectBook } from "../projects/project-book";
import type { StreamedCall, StreamedHandlers } from "./handler";
import { namedProject } from "./named-project";

export interface CompletionRoutesContext extends OnceContext {
  readonly projectBook: Pick<ProjectBook, "find">;
  readonly bodyReader: BodyReader;
  readonly requestReader: RequestReader;
}

export function completionRoutes(context: CompletionRoutesContext): StreamedHandlers {
  const { bodyBounds } = completionOperations.createChatCompletion;
  const answerOnce = async (
    { request, requestId, listener, address, caller }: StreamedCall,
    form: BodyForm,
  ) => {
    // Before anything is read: what is refused under overload has to cost next to nothing, or the rest can't be served.
    const { inFlight } = context.admissions;
    const { keyId } = caller;
    if (!inFlight.hasRoom(keyId)) throw tooManyAtOnce(inFlight.max);
    const projectId = payingProject(context.projectBook, caller, request.headers);
    const pieces = await context.bodyReader.read(request, bodyBounds.bytes, address);
    const key = request.headers.get("idempotency-key");
    const read = await context.requestReader.read(pieces, { form, wantsHash: key !== null }, bodyBounds);
    try {
      const call = {
        requestId,
        projectId,
        keyId,
        callerId: caller.id,
        permissionsIn: caller.permissionsIn,
        request: read,
        clientSignal: request.signal,
        streamEnds: () => letRest(listener, request),
        idempotency: readIdempotency(key, { projectId, callerId: caller.id }, read.bodyHash),
      };
      return await (form === "message" ? completeMessage(context, call) : completeOnce(context, call));
    } finally {
      read.release();
    }
  };
  return {
    createChatCompletion: (streamed) => answerOnce(streamed, "chat completion"),
    createMessage: (streamed) => {
      const isAnthropic = streamed.request.headers.has("anthropic-version");
      return answerOnce(streamed, isAnthropic ? "message" : "chat message");
    },
    countMessageTokens: async ({ request, requestId, address, caller }) => {
      const projectId = payingProject(context.projectBook, caller, request.headers);
      const pieces = await context.bodyReader.read(request, bodyBounds.bytes, address);
      const order = { form: "message count", wantsHash: false } as const;
      const read = await context.requestReader.read(pieces, order, bodyBounds);
      try {
        const model = callableModel(context, projectId, read.fields.model);
        const { promptTokens } = await read.estimate(model);
        const headers = { "x-request-id": requestId, "request-id": requestId };
        return Response.json({ input_tokens: promptTokens }, { headers });
      } finally {
        read.release();
      }
    },
  };
}

/** @throws Refusal 400 where no project is named, or 404. */
function payingProject(projectBook: Pick<ProjectBook, "find">, caller: Caller, headers: Headers): string {
  const projectId = namedProject(projectBook, caller, headers);
  if (projectId !== null) return projectId;
  const message = "This key belongs to no project: name the project that pays, in the header OpenAI-Project.";
  throw invalid("OpenAI-Project", message, "missing_field");
}
