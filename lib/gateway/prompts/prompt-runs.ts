import { MAX_CELLS } from "@/lib/contract/bounds";
import { newId } from "@/lib/contract/ids";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import { type ChangeRequest, change } from "../changes/change";
import { invalid, notFound } from "../refusal";
import type { PromptRunRecord } from "./prompt-run-store.sql";
import type { Author } from "./prompt-store.sql";
import { findPrompt, type PromptContext, type PromptReference, refuseFull } from "./prompts";

/** The maximum per prompt. The oldest runs are deleted. */
export const MAX_RUNS = 20;

interface Plan {
  readonly versions: readonly number[];
  readonly models: readonly string[];
}

/** @throws Refusal 400 for an unknown version, no cases or too many calls; 404 for an unknown prompt. */
export function createPromptRun(
  context: PromptContext,
  request: ChangeRequest,
  author: Author,
  scope: PromptReference,
  { versions, models }: Plan,
): Promise<PromptRunRecord> {
  const { prompts, promptRuns, runtime } = context;
  return change(context, request, async (transaction) => {
    const { id: promptId, owner, latestVersion, cases } = await findPrompt(prompts, scope);
    refuseTwice("versions", versions);
    refuseTwice("models", models);
    const unknown = versions.find((version) => version > latestVersion);
    if (unknown !== undefined) {
      throw invalid("versions", `There is no version ${unknown}: the newest is ${latestVersion}.`);
    }
    if (cases.length === 0) throw invalid("prompt_id", "This prompt has no cases: add one first.");
    const calls = versions.length * models.length * cases.length;
    if (calls > MAX_CELLS) {
      throw invalid(
        "models",
        `This run would make ${calls} calls, and a run makes at most ${MAX_CELLS}. Choose fewer cases, versions or models.`,
      );
    }
    await refuseFull(context, owner.id, "prompt_id");
    const createdAtMs = runtime.clock.nowMs();
    const id = newId("run", createdAtMs, runtime.random);
    const run = { id, promptId, author, versions, models, cases, createdAtMs };
    await promptRuns.insert(transaction, run);
    await promptRuns.keepNewest(transaction, promptId, MAX_RUNS);
    return run;
  });
}

/** @throws Refusal 400 for a result of a call that is not in the run; 404 if the caller has no such run. */
export function savePromptResults(
  context: PromptContext,
  request: ChangeRequest,
  scope: PromptReference,
  runId: string,
  results: readonly PromptResult[],
): Promise<void> {
  const { promptRuns } = context;
  return change(context, request, async (transaction) => {
    const run = await findPromptRun(context, scope, runId);
    if (run.author.id !== scope.readerId) throw noSuchRun(runId);
    await refuseFull(context, (await findPrompt(context.prompts, scope)).owner.id, "results");
    for (const result of results) {
      const isPlanned =
        run.versions.includes(result.prompt_version) &&
        run.models.includes(result.model) &&
        result.case < run.cases.length;
      if (!isPlanned)
        throw invalid(
          "results",
          "A result has a case, version or model that this run doesn't have. Send results of this run only.",
        );
      await promptRuns.saveResult(transaction, runId, result);
    }
  });
}

/** Finds a run of a prompt that the reader may read. @throws Refusal 404. */
export async function findPromptRun(
  { prompts, promptRuns }: Pick<PromptContext, "prompts" | "promptRuns">,
  scope: PromptReference,
  runId: string,
): Promise<PromptRunRecord> {
  const { id } = await findPrompt(prompts, scope);
  const run = await promptRuns.find(id, runId);
  if (!run) throw noSuchRun(runId);
  return run;
}

function noSuchRun(id: string) {
  return notFound("run", id, "run_id");
}

function refuseTwice(param: string, values: readonly unknown[]): void {
  if (new Set(values).size < values.length) throw invalid(param, "A value is repeated. List each once.");
}
