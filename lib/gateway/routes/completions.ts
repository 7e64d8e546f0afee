import { messageRequest } from "@/lib/contract/operations/completions";
import { completeMessage } from "../completions/anthropic/complete-message";
import { parseChatRequest } from "../completions/chat-request";
import { type CompletionContext, complete } from "../completions/complete";
import { parseJsonObject } from "../http/parse-json";
import { parseWith } from "../http/parse-with";
import { readBody } from "../http/read-body";
import { invalid } from "../ports/refusal";
import { findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { StreamedCall, StreamedHandlers } from "./handler";

export interface CompletionRoutesContext extends CompletionContext {
  readonly projects: ProjectStore;
}

export function completionRoutes(context: CompletionRoutesContext): StreamedHandlers {
  const read = async ({ request, requestId, caller }: StreamedCall) => {
    const projectId = caller.projectId ?? (await namedProject(context.projects, request.headers));
    const body = parseJsonObject(await readBody(request));
    return { body, call: { requestId, projectId, keyId: caller.keyId, clientSignal: request.signal } };
  };
  return {
    createChatCompletion: async (streamed) => {
      const { body, call } = await read(streamed);
      return complete(context, { ...call, request: parseChatRequest(body) });
    },
    createMessage: async (streamed) => {
      const { body, call } = await read(streamed);
      if (streamed.request.headers.has("anthropic-version")) return completeMessage(context, call, body);
      parseWith(messageRequest, body.value);
      return complete(context, { ...call, request: parseChatRequest(body) });
    },
  };
}

/** The project that a caller of the whole organization names. @throws Refusal 400 or 404. */
async function namedProject(projects: ProjectStore, headers: Headers): Promise<string> {
  const named = headers.get("openai-project");
  if (named) {
    const { id, name, archivedAtMs } = await findProject(projects, named);
    if (archivedAtMs === null) return id;
    const message = `The project "${name}" is archived and answers no calls. Name another in OpenAI-Project.`;
    throw invalid("OpenAI-Project", message, "project_archived");
  }
  const message = "This key belongs to no project: name the project that pays, in the header OpenAI-Project.";
  throw invalid("OpenAI-Project", message, "missing_field");
}
