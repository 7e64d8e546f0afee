"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { promptResult } from "@/lib/contract/operations/playground/prompt-runs";
import { promptChange, promptContent, promptDraft } from "@/lib/contract/operations/playground/prompts";

const projectInput = z.strictObject({ projectId: z.string() });
const promptInput = z.extend(projectInput, { promptId: z.string() });
const versionedInput = z.extend(promptInput, { version: knownVersion });

export const createPrompt = defineCreateAction(
  z.extend(projectInput, { prompt: promptDraft }),
  ({ projectId, prompt }, headers) =>
    callGateway("createPrompt", { params: { project_id: projectId }, body: prompt, headers }),
);

export const changePrompt = defineAction(
  z.extend(versionedInput, { change: promptChange }),
  ({ projectId, promptId, change, version }) =>
    callGateway("changePrompt", {
      params: { project_id: projectId, prompt_id: promptId },
      body: change,
      headers: ifMatch(version),
    }),
);

export const deletePrompt = defineAction(versionedInput, ({ projectId, promptId, version }) =>
  callGateway("deletePrompt", {
    params: { project_id: projectId, prompt_id: promptId },
    headers: ifMatch(version),
  }),
);

export const createPromptVersion = defineCreateAction(
  z.extend(promptInput, { content: promptContent }),
  ({ projectId, promptId, content }, headers) =>
    callGateway("createPromptVersion", {
      params: { project_id: projectId, prompt_id: promptId },
      body: content,
      headers,
    }),
);

export const createPromptRun = defineCreateAction(
  z.extend(promptInput, { versions: z.array(z.int()), models: z.array(z.string()) }),
  ({ projectId, promptId, versions, models }, headers) =>
    callGateway("createPromptRun", {
      params: { project_id: projectId, prompt_id: promptId },
      body: { versions, models },
      headers,
    }),
);

export const savePromptResults = defineAction(
  z.extend(promptInput, { runId: z.string(), results: z.array(promptResult) }),
  ({ projectId, promptId, runId, results }) =>
    callGateway("savePromptResults", {
      params: { project_id: projectId, prompt_id: promptId, run_id: runId },
      body: { results },
    }),
);
