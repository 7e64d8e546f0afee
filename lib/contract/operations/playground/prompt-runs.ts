import * as z from "zod/mini";
import { MAX_CHECKS, MAX_MODELS, MAX_STORED_ANSWER_LENGTH, MAX_VERSIONS } from "../../bounds";
import { type BodyBounds, defineOperations } from "../../operation";
import { decimal, pageQuery, pageSchema, unixSeconds } from "../../schema";
import { modelName } from "../calls/completions";
import { promptCase } from "./prompts";

const resultBounds: BodyBounds = { bytes: 2 * 1024 * 1024, entries: 20_000 };

const count = z.int().check(z.minimum(0));
const milliseconds = z.nullable(count);

/** The result of one case with one version and one model. */
export const promptResult = z.strictObject({
  prompt_version: z.int().check(z.minimum(1)),
  /** The index of its case in the run, from 0. */
  case: count,
  model: modelName,
  /** `refused`: before it was sent to a provider; `broken`: after. */
  state: z.enum(["finished", "refused", "broken", "stopped"]),
  /** The id of its call, which has a receipt. */
  request_id: z.nullable(z.string().check(z.maxLength(100))),
  answer: z.string().check(z.maxLength(MAX_STORED_ANSWER_LENGTH)),
  /** The check that refused it or the error that ended it, with a sentence; null if there is none. */
  problem: z.nullable(
    z.strictObject({
      check: z.string().check(z.maxLength(100)),
      message: z.string().check(z.maxLength(2_000)),
    }),
  ),
  prompt_tokens: z.nullable(count),
  completion_tokens: z.nullable(count),
  /** The amount that the ledger charged. */
  amount: z.nullable(decimal),
  first_word_ms: milliseconds,
  duration_ms: milliseconds,
  /** For each check of the case, in order: null if it passed, otherwise the reason why not. */
  checks: z.array(z.nullable(z.string().check(z.maxLength(500)))).check(z.maxLength(MAX_CHECKS)),
});
export type PromptResult = z.output<typeof promptResult>;

const plan = {
  versions: z.array(z.int().check(z.minimum(1))).check(z.minLength(1), z.maxLength(MAX_VERSIONS)),
  models: z.array(modelName).check(z.minLength(1), z.maxLength(MAX_MODELS)),
};

const head = {
  object: z.literal("project.prompt.run"),
  id: z.string(),
  prompt_id: z.string(),
  ...plan,
  /** Whether the reader started it. */
  is_own: z.boolean(),
  author: z.object({ id: z.string(), name: z.string() }),
  created_at: unixSeconds,
};

const promptRunHead = z.object(head);
export type PromptRunHead = z.output<typeof promptRunHead>;

/** `cases` are the prompt's cases at the time when the run began. */
const promptRun = z.object({
  ...head,
  currency: z.string(),
  cases: z.array(promptCase),
  results: z.array(promptResult),
});
export type PromptRun = z.output<typeof promptRun>;

const list = "/organization/projects/{project_id}/prompts/{prompt_id}/runs";

export const promptRunOperations = defineOperations(
  { surface: "v1 and origin", scope: "project", permission: "api.prompts.read" },
  {
    listPromptRuns: {
      method: "GET",
      path: list,
      summary: "Lists the runs of a prompt, newest first: the last 20, each for 180 days.",
      query: pageQuery,
      reply: pageSchema(promptRunHead),
    },
    createPromptRun: {
      method: "POST",
      effect: "creates",
      path: list,
      summary:
        "Begins a run of all cases of a prompt with some of its versions and models, at most 500 calls. It keeps results and sends nothing: each call is the caller's own.",
      body: z.strictObject(plan),
      reply: promptRun,
    },
    retrievePromptRun: {
      method: "GET",
      path: `${list}/{run_id}`,
      summary: "Returns a run with the cases it began with, and its results so far.",
      reply: promptRun,
    },
    savePromptResults: {
      method: "POST",
      effect: "acts",
      path: `${list}/{run_id}/results`,
      summary: "Keeps results of one's own run. A result of the same case, version and model is replaced.",
      body: z.strictObject({ results: z.array(promptResult).check(z.minLength(1), z.maxLength(20)) }),
      bodyBounds: resultBounds,
      reply: z.object({ object: z.literal("project.prompt.results"), saved: z.int() }),
    },
  },
);
