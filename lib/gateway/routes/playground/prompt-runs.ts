import type {
  PromptRunHead as HeadReply,
  PromptResult,
  PromptRun,
} from "@/lib/contract/operations/playground/prompt-runs";
import type { Caller } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import type { PromptRunHead, PromptRunRecord } from "../../prompts/prompt-run-store.sql";
import { createPromptRun, findPromptRun, savePromptResults } from "../../prompts/prompt-runs";
import { findPrompt, type PromptContext } from "../../prompts/prompts";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toAuthor, toPromptReference } from "./prompts";

type Ids = "listPromptRuns" | "createPromptRun" | "retrievePromptRun" | "savePromptResults";

export function promptRunRoutes(context: PromptContext): Handlers<Ids> {
  const { prompts, promptRuns, organization } = context;
  const toRun = (run: PromptRunRecord, results: readonly PromptResult[], caller: Caller): PromptRun => ({
    ...toHead(run, caller),
    currency: organization.currency,
    cases: [...run.cases],
    results: [...results],
  });
  return {
    listPromptRuns: async ({ params, query, caller }) => {
      const { id } = await findPrompt(prompts, toPromptReference(params, caller));
      return paginate(promptRuns.pages(id), query, (head) => toHead(head, caller));
    },
    createPromptRun: async ({ params, body, caller, request }) => {
      const reference = toPromptReference(params, caller);
      return toRun(await createPromptRun(context, request, toAuthor(caller), reference, body), [], caller);
    },
    retrievePromptRun: async ({ params, caller }) => {
      const run = await findPromptRun(context, toPromptReference(params, caller), params.run_id);
      return toRun(run, await promptRuns.listResults(run.id), caller);
    },
    savePromptResults: async ({ params, body, caller, request }) => {
      await savePromptResults(
        context,
        request,
        toPromptReference(params, caller),
        params.run_id,
        body.results,
      );
      return { object: "project.prompt.results", saved: body.results.length };
    },
  };
}

function toHead(run: PromptRunHead, caller: Caller): HeadReply {
  return {
    object: "project.prompt.run",
    id: run.id,
    prompt_id: run.promptId,
    versions: [...run.versions],
    models: [...run.models],
    is_own: run.author.id === caller.keyId,
    author: run.author,
    created_at: toUnixSeconds(run.createdAtMs),
  };
}
