import { expect, test } from "bun:test";
import type { LimitReplay, ReplayedChange } from "@/lib/contract/operations/models/rate-limit-replay";
import { LimitDraft } from "./limit-draft";
import { giveUp, keepMine, listChanges, reviewPairs, toRequest, withoutSent } from "./list-changes";
import { planSet } from "./plan-edits";
import { createPair } from "./testing/create-pair";
import { describeDifference } from "./use-replay";

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

test("changed rows are grouped by what the replay says, the largest difference first, and unknown ones by themselves", () => {
  const draft = new LimitDraft();
  const others = ["a", "b"].map((model) => createPair("Search", model));
  const pairs = [bot, search, ...others];
  for (const pair of pairs) type(draft, pair, REQUESTS, "90");
  type(draft, bot, DAY, "5");
  const { changes } = list(draft, pairs);
  const replayed = (pair: typeof bot, newly_refused: number, newly_let_through: number) =>
    ({ project_id: pair.projectId, model: pair.model, newly_refused, newly_let_through }) as ReplayedChange;
  const [a, b] = others as [typeof bot, typeof bot];
  const replay = {
    changes: [replayed(bot, 3, 1), replayed(search, 0, 0), replayed(a, 9, 9), replayed(b, 1, 4)],
  } as unknown as LimitReplay;
  const groups = reviewPairs(changes, replay);
  expect(groups.refuses.map(({ pair }) => pair.key)).toEqual([a.key, bot.key]);
  expect(groups.refuses[1]?.changes).toHaveLength(2);
  expect(groups["lets through"].map(({ pair }) => pair.key)).toEqual([b.key]);
  expect(groups.nothing.map(({ pair }) => pair.key)).toEqual([search.key]);
  expect(reviewPairs(changes, undefined).nothing).toHaveLength(4);
});

test("a difference is said in words", () => {
  expect(describeDifference({ newly_let_through: 633, newly_refused: 138 })).toBe(
    "633 more calls let through, 138 more refused",
  );
  expect(describeDifference({ newly_let_through: 1, newly_refused: 0 })).toBe("1 more call let through");
  expect(describeDifference({ newly_let_through: 0, newly_refused: 0 })).toMatch(/^No call/);
});
