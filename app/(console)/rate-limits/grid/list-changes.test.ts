import { expect, test } from "bun:test";
import type { LimitUsage } from "@/lib/contract/operations/usage/limit-usage";
import { groupByEffect } from "./group-by-effect";
import { LimitDraft } from "./limit-draft";
import { LimitUse } from "./limit-use";
import { giveUp, keepMine, listChanges, toRequest, withoutSent } from "./list-changes";
import { planSet } from "./plan-edits";
import { createPair } from "./testing/create-pair";

const [REQUESTS, TOKENS, DAY] = [0, 1, 4];
const bot = createPair("Bot", "gpt-5", { max_requests_per_1_minute: 60 });
const search = createPair("Search", "gpt-5");
const list = (draft: LimitDraft, pairs = [bot, search]) => listChanges(pairs, draft, draft.counts());

function type(draft: LimitDraft, pair: typeof bot, column: number, text: string): void {
  draft.apply(planSet(draft, { pairs: [pair], columns: [column] }, text).edits);
}

test("a request names each pair once with its version; faults and pairs that are gone are apart", () => {
  const draft = new LimitDraft();
  type(draft, bot, REQUESTS, "default");
  type(draft, bot, DAY, "5");
  type(draft, bot, TOKENS, "odd");
  type(draft, createPair("Gone", "gpt-5"), REQUESTS, "5");
  const contents = list(draft);
  expect(toRequest(contents.changes)).toEqual([
    {
      project_id: "proj_bot",
      model: "gpt-5",
      version: "v1",
      max_requests_per_1_minute: "default",
      max_requests_per_1_day: 5,
    },
  ]);
  expect(contents).toMatchObject({ lost: 1, faults: [{ field: { name: "max_tokens_per_1_minute" } }] });
});

test("a cell that somebody saved meanwhile is a conflict until it is decided, other fields of its pair are not", () => {
  const draft = new LimitDraft();
  type(draft, bot, REQUESTS, "100");
  type(draft, bot, DAY, "5");
  const theirs = createPair("Bot", "gpt-5", { max_requests_per_1_minute: 70 });
  const { conflicts } = list(draft, [theirs]);
  expect(conflicts.map(({ field }) => field.name)).toEqual(["max_requests_per_1_minute"]);
  draft.apply(keepMine(conflicts));
  expect(list(draft, [theirs])).toMatchObject({ conflicts: [], changes: [{ from: 70, to: 100 }, { to: 5 }] });
  draft.undo();
  draft.apply(giveUp(conflicts));
  expect(list(draft, [theirs]).changes).toMatchObject([{ to: 5 }]);
});

test("what somebody saved just so is done", () => {
  const draft = new LimitDraft();
  type(draft, bot, REQUESTS, "100");
  const theirs = createPair("Bot", "gpt-5", { max_requests_per_1_minute: 100 });
  draft.apply(keepMine(list(draft, [theirs]).conflicts));
  expect(draft.counts().changes).toBe(0);
});

test("what is typed while a save is under way stays in the draft", () => {
  const draft = new LimitDraft();
  type(draft, bot, REQUESTS, "100");
  type(draft, bot, DAY, "5");
  const { changes } = list(draft);
  type(draft, bot, DAY, "6");
  draft.replace(withoutSent(draft, changes));
  expect(list(draft).changes).toMatchObject([{ field: { name: "max_requests_per_1_day" }, to: 6 }]);
});

test("changes are grouped by the peak and the refusals of 7 days", () => {
  const use = new LimitUse();
  const entry = { used: 0, peak_1_day: 0, refused_1_day: 0 };
  use.update([
    {
      project_id: bot.projectId,
      model: "gpt-5",
      limits: [
        { ...entry, field: "max_requests_per_1_minute", max: 60, peak_7_days: 60, refused_7_days: 12 },
        { ...entry, field: "max_tokens_per_1_minute", max: 1_000_000, peak_7_days: 5_000, refused_7_days: 0 },
      ],
    } as unknown as LimitUsage,
  ]);
  const draft = new LimitDraft();
  type(draft, bot, REQUESTS, "90");
  type(draft, bot, TOKENS, "4999");
  type(draft, search, REQUESTS, "1");
  const groups = groupByEffect(list(draft).changes, use);
  expect(groups["lets through"]).toMatchObject([{ refused: 12, to: 90 }]);
  expect(groups.refuses).toMatchObject([{ peak: 5_000, to: 4_999 }]);
  expect(groups.nothing).toMatchObject([{ pair: { projectName: "Search" }, peak: null }]);
});
