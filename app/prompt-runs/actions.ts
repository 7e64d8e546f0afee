"use server";

import * as z from "zod/mini";
import { action, createAction } from "@/lib/console/actions/action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { promptResult } from "@/lib/contract/operations/prompt-runs";
import { promptChange, promptContent, promptDraft } from "@/lib/contract/operations/prompts";

const projectInput = z.strictObject({ projectId: z.string() });
const promptInput = z.extend(projectInput, { promptId: z.string() });
const versionedInput = z.extend(promptInput, { version: knownVersion });

export const createPrompt = createAction(
  z.extend(projectInput, { prompt: promptDraft }),
  ({ projectId, prompt }, headers) =>
    callGateway("createPrompt", { params: { project_id: projectId }, body: prompt, headers }),
);

export const changePrompt = action(
  z.extend(versionedInput, { change: promptChange }),
  ({ projectId, promptId, change, version }) =>
    callGateway("changePrompt", {
      params: { project_id: projectId, prompt_id: promptId },
      body: change,
      headers: ifMatch(version),
    }),
);

export const deletePrompt = action(versionedInput, ({ projectId, promptId, version }) =>
  callGateway("deletePrompt", {
    params: { project_id: projectId, prompt_id: promptId },
    headers: ifMatch(version),
  }),
);

export const createPromptVersion = createAction(
  z.extend(promptInput, { content: promptContent }),
  ({ projectId, promptId, content }, headers) =>
    callGateway("createPromptVersion", {
      params: { project_id: projectId, prompt_id: promptId },
      body: content,
      headers,
    }),
);

export const createPromptRun = createAction(
  z.extend(promptInput, { versions: z.array(z.int()), models: z.array(z.string()) }),
  ({ projectId, promptId, versions, models }, headers) =>
    callGateway("createPromptRun", {
      params: { project_id: projectId, prompt_id: promptId },
      body: { versions, models },
      headers,
    }),
);

export const savePromptResults = action(
  z.extend(promptInput, { runId: z.string(), results: z.array(promptResult) }),
  ({ projectId, promptId, runId, results }) =>
    callGateway("savePromptResults", {
      params: { project_id: projectId, prompt_id: promptId, run_id: runId },
      body: { results },
    }),
);
