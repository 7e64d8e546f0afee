import * as z from "zod/mini";
import { MAX_CASES, MAX_CHECKS, MAX_VALUE_LENGTH } from "../../bounds";
import { HOUR_MS } from "../../durations";
import { isObject } from "../../json-value";
import { type BodyBounds, defineOperations } from "../../operation";
import {
  displayName,
  pageQuery,
  pageSchema,
  positiveDecimal,
  searchedPageQuery,
  unixSeconds,
} from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { chatMessage } from "../calls/completions";
import { item, variableName } from "../calls/responses";

/** Large enough for a prompt with its table of cases. */
const promptBounds: BodyBounds = { bytes: 1024 * 1024, entries: 20_000 };

const isUnbound = z.refine((body) => isObject(body) && !("model" in body || "stream" in body), {
  message: "must have no model and no stream: both are chosen when it is run",
});
const listBounds = [z.minLength(1), z.maxLength(1_000)] as const;
const chatBody = z.looseObject({ messages: z.array(chatMessage).check(...listBounds) }).check(isUnbound);
const responseBody = z
  .looseObject({ input: z.union([z.string().check(z.minLength(1)), z.array(item).check(...listBounds)]) })
  .check(isUnbound);

/** A call as its endpoint takes it, without model and stream; its texts may contain variables as `{{name}}`. */
export const promptContent = z.discriminatedUnion("endpoint", [
  z.strictObject({ endpoint: z.enum(["chat_completions", "messages"]), body: chatBody }),
  z.strictObject({ endpoint: z.literal("responses"), body: responseBody }),
]);
export type PromptContent = z.output<typeof promptContent>;

const text = z.string().check(z.minLength(1), z.maxLength(MAX_VALUE_LENGTH));

/** A check of an answer. Regular expressions use RE2's syntax and may match any part of the answer. */
export const promptCheck = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("contains"), text }),
  z.strictObject({ type: z.literal("equals"), text }),
  z.strictObject({
    type: z.literal("matches"),
    pattern: z.string().check(z.minLength(1), z.maxLength(1_000)),
  }),
  z.strictObject({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) }),
  z.strictObject({ type: z.literal("cost_below"), amount: positiveDecimal }),
  z.strictObject({
    type: z.literal("latency_below"),
    ms: z.int().check(z.minimum(1), z.maximum(HOUR_MS)),
  }),
]);
export type PromptCheck = z.output<typeof promptCheck>;

/** One row of the table: a value for each variable, and the checks of the answer. */
export const promptCase = z.strictObject({
  variables: z.record(variableName, z.string().check(z.maxLength(MAX_VALUE_LENGTH))),
  checks: z.array(promptCheck).check(z.maxLength(MAX_CHECKS)),
});
export type PromptCase = z.output<typeof promptCase>;

const cases = z.array(promptCase).check(z.maxLength(MAX_CASES));

const author = z.object({ id: z.string(), name: z.string() });

const head = {
  object: z.literal("project.prompt"),
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  /** Whether all holders of `api.prompts.read` in the project can read it; otherwise only its owner can. */
  is_shared: z.boolean(),
  /** Whether it belongs to the reader. */
  is_own: markUnversioned(z.boolean()),
  owner: author,
  /** The number of its newest version, counted from 1. */
  latest_version: z.int(),
  created_at: unixSeconds,
  updated_at: markUnversioned(unixSeconds),
};

const promptHead = z.object(head);
export type PromptHead = z.output<typeof promptHead>;

const prompt = withVersion(z.object({ ...head, content: promptContent, cases }));
export type Prompt = z.output<typeof prompt>;

export const promptDraft = z.strictObject({
  name: displayName,
  is_shared: z.optional(z.boolean()),
  content: promptContent,
  cases: z.optional(cases),
});
export type PromptDraft = z.output<typeof promptDraft>;

export const promptChange = z.strictObject({
  name: z.optional(displayName),
  is_shared: z.optional(z.boolean()),
  cases: z.optional(cases),
});
export type PromptChange = z.output<typeof promptChange>;

const promptVersion = z.object({
  object: z.literal("project.prompt.version"),
  id: z.string(),
  prompt_id: z.string(),
  number: z.int(),
  author,
  content: promptContent,
  created_at: unixSeconds,
});
export type PromptVersion = z.output<typeof promptVersion>;

const list = "/organization/projects/{project_id}/prompts";
const one = `${list}/{prompt_id}` as const;

export const promptOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listPrompts: {
      permission: "api.prompts.read",
      method: "GET",
      path: list,
      summary: "Lists the prompts of a project that are shared, and those of whoever asks, newest first.",
      query: searchedPageQuery,
      reply: pageSchema(promptHead),
    },
    createPrompt: {
      permission: "api.prompts.write",
      method: "POST",
      effect: "creates",
      path: list,
      summary:
        "Saves a prompt as its first version, private until it is shared. Texts may hold variables, such as `{{name}}`; each case of its table has a value for every one of them. It is sealed, and stays until it is deleted.",
      body: promptDraft,
      bodyBounds: promptBounds,
      reply: prompt,
    },
    retrievePrompt: {
      permission: "api.prompts.read",
      method: "GET",
      path: one,
      summary: "Returns a prompt with its newest version and its cases.",
      reply: prompt,
    },
    changePrompt: {
      permission: "api.prompts.write",
      method: "POST",
      effect: "edits",
      path: one,
      summary:
        "Renames a prompt or replaces its cases. Its owner shares it, or makes it private again. Versions stay as they are.",
      body: promptChange,
      bodyBounds: promptBounds,
      reply: prompt,
    },
    deletePrompt: {
      permission: "api.prompts.write",
      method: "DELETE",
      effect: "deletes",
      path: one,
      summary: "Deletes a prompt with all of its versions, cases and runs.",
      reply: z.object({
        object: z.literal("project.prompt.deleted"),
        id: z.string(),
        deleted: z.literal(true),
      }),
    },
    listPromptVersions: {
      permission: "api.prompts.read",
      method: "GET",
      path: `${one}/versions`,
      summary: "Lists the versions of a prompt, newest first.",
      query: pageQuery,
      reply: pageSchema(promptVersion),
    },
    createPromptVersion: {
      permission: "api.prompts.write",
      method: "POST",
      effect: "creates",
      path: `${one}/versions`,
      summary: "Saves another version of a prompt. One that is the same as the newest is refused.",
      body: promptContent,
      bodyBounds: promptBounds,
      reply: promptVersion,
    },
  },
);
