import type {
  PromptResult,
  PromptRun,
  PromptRunHead as RunHeadReply,
} from "@/lib/contract/operations/playground/prompt-runs";
import type {
  PromptHead as HeadReply,
  Prompt,
  PromptVersion,
} from "@/lib/contract/operations/playground/prompts";
import type { Caller } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import { findProject } from "../../projects/projects";
import type { PromptRunHead, PromptRunRecord } from "../../prompts/prompt-run-store.sql";
import type { Author, PromptHead, PromptVersionRecord } from "../../prompts/prompt-store.sql";
import {
  changePrompt,
  createPrompt,
  createPromptRun,
  createPromptVersion,
  deletePrompt,
  findPrompt,
  findPromptRun,
  type PromptContext,
  type PromptReference,
  readNewestContent,
  savePromptResults,
  type WholePrompt,
} from "../../prompts/prompts";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids =
  | "listPrompts"
  | "createPrompt"
  | "retrievePrompt"
  | "changePrompt"
  | "deletePrompt"
  | "listPromptVersions"
  | "createPromptVersion";

export function promptRoutes(context: PromptContext): Handlers<Ids> {
  const { prompts, projects } = context;
  return {
    listPrompts: async ({ params, query, caller }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginate(prompts.pages([id], caller.keyId), query, (head) => toHead(head, caller));
    },
    createPrompt: async ({ params, body, caller, request }) =>
      toPrompt(await createPrompt(context, request, toAuthor(caller), params.project_id, body), caller),
    retrievePrompt: async ({ params, caller }) => {
      const prompt = await findPrompt(prompts, toPromptReference(params, caller));
      return toPrompt({ prompt, content: await readNewestContent(context, prompt) }, caller);
    },
    changePrompt: async ({ params, body, caller, request }) =>
      toPrompt(await changePrompt(context, request, toPromptReference(params, caller), body), caller),
    deletePrompt: async ({ params, caller, request }) => {
      await deletePrompt(context, request, toPromptReference(params, caller));
      return { object: "project.prompt.deleted", id: params.prompt_id, deleted: true };
    },
    listPromptVersions: async ({ params, query, caller }) => {
      const { id } = await findPrompt(prompts, toPromptReference(params, caller));
      return paginate(prompts.versionPages(id), query, toVersion);
    },
    createPromptVersion: async ({ params, body, caller, request }) => {
      const reference = toPromptReference(params, caller);
      const version = await createPromptVersion(context, request, toAuthor(caller), reference, body);
      return { ...toVersionHead(version), content: body };
    },
  };
}

/** The prompt that a path names, and its reader. */
function toPromptReference(
  { project_id, prompt_id }: { project_id: string; prompt_id: string },
  caller: Caller,
): PromptReference {
  return { projectId: project_id, id: prompt_id, readerId: caller.keyId };
}

/** The author of a caller's prompts: a member has the same ones in all sessions. */
function toAuthor({ keyId, name }: Caller): Author {
  return { id: keyId, name };
}

function toHead(head: PromptHead, caller: Caller): HeadReply | null {
  const { name } = head;
  if (name === null) return null;
  return {
    object: "project.prompt",
    id: head.id,
    project_id: head.projectId,
    name,
    is_shared: head.isShared,
    is_own: head.owner.id === caller.keyId,
    owner: head.owner,
    latest_version: head.latestVersion,
    created_at: toUnixSeconds(head.createdAtMs),
    updated_at: toUnixSeconds(head.updatedAtMs),
  };
}

function toPrompt({ prompt, content }: WholePrompt, caller: Caller): Prompt {
  const head = toHead(prompt, caller) as HeadReply;
  return { ...head, content, cases: [...prompt.cases] };
}

function toVersion(version: PromptVersionRecord): PromptVersion | null {
  const { content } = version;
  return content && { ...toVersionHead(version), content };
}

function toVersionHead({ id, promptId, number, author, createdAtMs }: PromptVersionRecord) {
  const created_at = toUnixSeconds(createdAtMs);
  return { object: "project.prompt.version" as const, id, prompt_id: promptId, number, author, created_at };
}

type PromptRunsIds = "listPromptRuns" | "createPromptRun" | "retrievePromptRun" | "savePromptResults";

export function promptRunRoutes(context: PromptContext): Handlers<PromptRunsIds> {
  const { prompts, promptRuns, organization } = context;
  const toRun = (run: PromptRunRecord, results: readonly PromptResult[], caller: Caller): PromptRun => ({
    ...toRunHead(run, caller),
    currency: organization.currency,
    cases: [...run.cases],
    results: [...results],
  });
  return {
    listPromptRuns: async ({ params, query, caller }) => {
      const { id } = await findPrompt(prompts, toPromptReference(params, caller));
      return paginate(promptRuns.pages(id), query, (head) => toRunHead(head, caller));
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

function toRunHead(run: PromptRunHead, caller: Caller): RunHeadReply {
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
