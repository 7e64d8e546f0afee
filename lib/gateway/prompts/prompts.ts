import { MAX_CELLS } from "@/lib/contract/bounds";
import { newId } from "@/lib/contract/ids";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import type {
  PromptCase,
  PromptChange,
  PromptContent,
  PromptDraft,
} from "@/lib/contract/operations/playground/prompts";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import type { ProjectStore } from "../projects/project-store.sql";
import { findProject, refuseArchived } from "../projects/projects";
import { conflict, invalid, notFound, Refusal } from "../refusal";
import { findPatternFault } from "../regular-expression";
import type { PromptRunRecord, PromptRunStore } from "./prompt-run-store.sql";
import type { Author, PromptRecord, PromptStore, PromptVersionRecord } from "./prompt-store.sql";

export interface PromptContext extends ChangeContext {
  readonly prompts: PromptStore;
  readonly promptRuns: PromptRunStore;
  readonly projects: ProjectStore;
  readonly organization: { readonly currency: string };
  readonly runtime: ClockAndRandom;
}

/** The project of a prompt, and the reader. */
export interface PromptReference {
  readonly projectId: string;
  readonly id: string;
  readonly readerId: string;
}

/** Finds the reader's own prompt or a shared one. @throws Refusal 404 for any other prompt, as if it didn't exist. */
export async function findPrompt(
  prompts: Pick<PromptStore, "find">,
  { projectId, id, readerId }: PromptReference,
  param = "prompt_id",
): Promise<PromptRecord> {
  const prompt = await prompts.find(projectId, id);
  if (!prompt || (prompt.owner.id !== readerId && !prompt.isShared)) throw notFound("prompt", id, param);
  return prompt;
}

/** The maximum per owner. */
const MAX_PROMPTS = 500;
const MAX_VERSIONS = 500;
/** The maximum of all prompts of an owner, with their versions, runs and results. */
const MAX_BYTES = 500_000_000;

export interface WholePrompt {
  readonly prompt: PromptRecord;
  readonly content: PromptContent;
}

/**
 * @throws Refusal 400 for a case that can't be checked; 404 for an unknown project; 409 for an archived one or too many
 * prompts.
 */
export function createPrompt(
  context: PromptContext,
  request: ChangeRequest,
  owner: Author,
  projectId: string,
  { name, is_shared: isShared = false, content, cases = [] }: PromptDraft,
): Promise<WholePrompt> {
  const { prompts, projects, runtime } = context;
  refuseWrongPatterns(cases);
  return change(context, request, async (transaction) => {
    refuseArchived(await findProject(projects, projectId));
    if ((await prompts.countOwned(owner.id)) >= MAX_PROMPTS) {
      throw conflict(
        "name",
        `You have ${MAX_PROMPTS} prompts: delete one that you no longer need.`,
        "limit_reached",
      );
    }
    await refuseFull(context, owner.id, "content");
    const createdAtMs = runtime.clock.nowMs();
    const prompt: PromptRecord = {
      id: newId("prompt", createdAtMs, runtime.random),
      projectId,
      owner,
      name,
      isShared,
      latestVersion: 1,
      cases,
      createdAtMs,
      updatedAtMs: createdAtMs,
    };
    await prompts.insert(transaction, prompt);
    await prompts.insertVersion(transaction, createVersion(context, prompt, owner, content));
    return { prompt, content };
  });
}

/**
 * @throws Refusal 400 for a case that can't be checked; 403 if a caller changes the sharing of another owner's prompt;
 * 404.
 */
export function changePrompt(
  context: PromptContext,
  request: ChangeRequest,
  scope: PromptReference,
  { name, is_shared: isShared, cases }: PromptChange,
): Promise<WholePrompt> {
  refuseWrongPatterns(cases ?? []);
  return change(context, request, async (transaction) => {
    const stored = await findPrompt(context.prompts, scope);
    const prompt = {
      ...stored,
      name: name ?? stored.name,
      isShared: isShared ?? stored.isShared,
      cases: cases ?? stored.cases,
      updatedAtMs: context.runtime.clock.nowMs(),
    };
    if (prompt.isShared !== stored.isShared && stored.owner.id !== scope.readerId) throw createOwnerRefusal();
    if (JSON.stringify(prompt.cases).length > JSON.stringify(stored.cases).length)
      await refuseFull(context, stored.owner.id, "cases");
    await context.prompts.update(transaction, prompt);
    return { prompt, content: await readNewestContent(context, prompt) };
  });
}

/** @throws Refusal 404; 409 if nothing has changed, or for too many versions. */
export function createPromptVersion(
  context: PromptContext,
  request: ChangeRequest,
  author: Author,
  scope: PromptReference,
  content: PromptContent,
): Promise<PromptVersionRecord> {
  const { prompts, runtime } = context;
  return change(context, request, async (transaction) => {
    const stored = await findPrompt(prompts, scope);
    if (JSON.stringify(await readNewestContent(context, stored)) === JSON.stringify(content)) {
      throw conflict("body", `This is the same as version ${stored.latestVersion}.`);
    }
    if (stored.latestVersion >= MAX_VERSIONS) {
      throw conflict(
        "prompt_id",
        `This prompt has ${MAX_VERSIONS} versions, the most there may be. Save it as a new prompt.`,
        "limit_reached",
      );
    }
    await refuseFull(context, stored.owner.id, "body");
    const latestVersion = stored.latestVersion + 1;
    const prompt = { ...stored, latestVersion, updatedAtMs: runtime.clock.nowMs() };
    const version = createVersion(context, prompt, author, content);
    await prompts.update(transaction, prompt);
    await prompts.insertVersion(transaction, version);
    return version;
  });
}

/** @throws Refusal 404 if the caller can read no such prompt. */
export function deletePrompt(
  context: PromptContext,
  request: ChangeRequest,
  scope: PromptReference,
): Promise<void> {
  return change(context, request, async (transaction) => {
    const { id } = await findPrompt(context.prompts, scope);
    await context.prompts.delete(transaction, id);
  });
}

/** @throws Refusal 409 if the prompts of an owner take all the space that they may. */
async function refuseFull(
  { prompts }: Pick<PromptContext, "prompts">,
  ownerId: string,
  param: string,
): Promise<void> {
  if ((await prompts.sumOwnedBytes(ownerId)) < MAX_BYTES) return;
  throw conflict(
    param,
    "The prompts of this owner take 500 MB with their versions and runs, the most there may be. Delete prompts that are no longer needed.",
    "limit_reached",
  );
}

/** The content of the newest version. */
export async function readNewestContent(
  { prompts }: PromptContext,
  prompt: PromptRecord,
): Promise<PromptContent> {
  const version = await prompts.findVersion(prompt.id, prompt.latestVersion);
  if (!version?.content) throw new Error(`The prompt ${prompt.id} has no version ${prompt.latestVersion}`);
  return version.content;
}

function createVersion(
  { runtime }: PromptContext,
  { id, latestVersion, updatedAtMs }: PromptRecord,
  author: Author,
  content: PromptContent,
): PromptVersionRecord {
  return {
    id: newId("promptver", updatedAtMs, runtime.random),
    promptId: id,
    number: latestVersion,
    author,
    content,
    createdAtMs: updatedAtMs,
  };
}

/** @throws Refusal 400 naming the case. */
function refuseWrongPatterns(cases: readonly PromptCase[]): void {
  for (const [index, { checks }] of cases.entries()) {
    for (const check of checks) {
      const fault = check.type === "matches" ? findPatternFault(check.pattern) : null;
      if (fault !== null) throw invalid("cases", `Case ${index + 1}: a pattern ${fault}.`);
    }
  }
}

function createOwnerRefusal(): Refusal {
  const message = "Only its owner shares a prompt or makes it private again.";
  return new Refusal(403, "permission_error", "not_owner", message, { param: "is_shared" });
}

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
