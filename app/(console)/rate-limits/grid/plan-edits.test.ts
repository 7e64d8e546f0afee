import { expect, test } from "bun:test";
import fc from "fast-check";
import { LimitDraft } from "./limit-draft";
import { planCopyFrom, planFillDown, planFillRight, planPaste, planSet, planSetFitting } from "./plan-edits";
import { createPair } from "./testing/create-pair";
import { readCopied, writeCopied } from "./use-grid-keys";

const [REQUESTS, TOKENS, IMAGES] = [0, 1, 2];
const bot = createPair("Bot", "gpt-5", { max_requests_per_1_minute: 60 });
const search = createPair("Search", "gpt-5");
const embedding = createPair("Search", "embedding-3", {}, "embedding");

function cellOf(draft: LimitDraft, pair = bot, field = "max_requests_per_1_minute" as const) {
  return draft.cell(pair.key, field);
}

test("a text is set in the whole selection, and limits that don't apply are left and counted", () => {
  const draft = new LimitDraft();
  const plan = planSet(draft, { pairs: [bot, embedding], columns: [REQUESTS, IMAGES] }, "2k");
  expect(plan).toMatchObject({ skipped: 1, faults: 0 });
  draft.apply(plan.edits);
  expect(draft.counts()).toEqual({ changes: 3, faults: 0, pairs: 2 });
  expect(cellOf(draft)).toEqual({ to: 2000, base: { value: 60, isOwn: true } });
});

test("what is saved already is no change, and typing it again takes the change back", () => {
  const draft = new LimitDraft();
  const block = { pairs: [bot], columns: [REQUESTS] };
  expect(planSet(draft, block, "60").edits).toEqual([]);
  draft.apply(planSet(draft, block, "x2").edits);
  draft.apply(planSet(draft, block, "x2").edits);
  expect(cellOf(draft)).toMatchObject({ to: 240 });
  draft.apply(planSet(draft, block, "60").edits);
  expect(draft.counts().changes).toBe(0);
  draft.undo();
  expect(cellOf(draft)).toMatchObject({ to: 240 });
});

test("the default of a limit that follows it is no change; of one set by hand it is", () => {
  const draft = new LimitDraft();
  expect(planSet(draft, { pairs: [search], columns: [REQUESTS] }, "default").edits).toEqual([]);
  draft.apply(planSet(draft, { pairs: [bot], columns: [REQUESTS] }, "default").edits);
  expect(cellOf(draft)).toMatchObject({ to: "default" });
  // A factor is of the number that the default is.
  draft.apply(planSet(draft, { pairs: [bot], columns: [REQUESTS] }, "x2").edits);
  expect(cellOf(draft)).toMatchObject({ to: 1200 });
});

test("what isn't understood stays in its cell with the reason", () => {
  const draft = new LimitDraft();
  const plan = planSet(draft, { pairs: [bot], columns: [REQUESTS] }, " many ");
  expect(plan.faults).toBe(1);
  draft.apply(plan.edits);
  expect(cellOf(draft)).toMatchObject({ typed: "many", fault: expect.stringMatching(/whole number/) });
  expect(draft.counts()).toMatchObject({ changes: 1, faults: 1 });
});

test("fill down and right copy the number that is shown", () => {
  const draft = new LimitDraft();
  draft.apply(planFillDown(draft, { pairs: [bot, search], columns: [REQUESTS, TOKENS] }).edits);
  expect(cellOf(draft, search)).toMatchObject({ to: 60 });
  expect(draft.counts().changes).toBe(1);
  draft.apply(planFillRight(draft, { pairs: [search], columns: [REQUESTS, TOKENS, IMAGES] }).edits);
  expect(draft.row(search.key)).toMatchObject({
    max_tokens_per_1_minute: { to: 60 },
    max_images_per_1_minute: { to: 60 },
  });
});

test("a limit that always needs a number refuses the “no limit” that is filled into it", () => {
  const draft = new LimitDraft();
  const plan = planPaste(
    draft,
    [["no limit"]],
    { pairs: [bot], columns: [TOKENS] },
    { pairs: [bot], columns: [TOKENS] },
  );
  expect(plan.faults).toBe(1);
});

test("a block is pasted whole or not at all", () => {
  const draft = new LimitDraft();
  const here = { pairs: [bot], columns: [REQUESTS] };
  const copied = readCopied("1,000\t2.000.000\r\n\t3m\r\n");
  const refused = planPaste(draft, copied, here, { pairs: [bot], columns: [REQUESTS, TOKENS] });
  expect(refused).toMatchObject({
    edits: [],
    refusal: expect.stringMatching(/2 rows.*room for only 1 row from/),
  });
  const plan = planPaste(draft, copied, here, { pairs: [bot, search], columns: [REQUESTS, TOKENS, IMAGES] });
  draft.apply(plan.edits);
  expect(draft.row(bot.key)).toMatchObject({
    max_requests_per_1_minute: { to: 1000 },
    max_tokens_per_1_minute: { to: 2_000_000 },
  });
  expect(draft.row(search.key)).toMatchObject({ max_tokens_per_1_minute: { to: 3_000_000 } });
  expect(cellOf(draft, search)).toBeUndefined();
});

test("a single cell goes into the whole selection, and a block is repeated in it", () => {
  const draft = new LimitDraft();
  const selection = { pairs: [bot, search], columns: [REQUESTS, TOKENS] };
  draft.apply(planPaste(draft, [["7"]], selection, selection).edits);
  expect(draft.counts().changes).toBe(4);
  draft.apply(planPaste(draft, [["8", "9"]], selection, selection).edits);
  expect(draft.row(search.key)).toMatchObject({
    max_requests_per_1_minute: { to: 8 },
    max_tokens_per_1_minute: { to: 9 },
  });
});

test("more rows than are saved at once are refused", () => {
  const pairs = Array.from({ length: 10_001 }, (_, at) => createPair("Bot", `model-${at}`));
  const draft = new LimitDraft();
  expect(planSet(draft, { pairs, columns: [REQUESTS] }, "5")).toMatchObject({
    edits: [],
    refusal: expect.stringMatching(/10,000/),
  });
  expect(planSet(draft, { pairs: pairs.slice(1), columns: [REQUESTS] }, "5").edits).toHaveLength(10_000);
});

test("what is copied and pasted where it came from changes nothing; elsewhere it arrives whole", () => {
  const value = fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), { nil: null });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
      const source = values.map((max, at) => createPair("A", `m${at}`, { max_requests_per_1_day: max }));
      const target = values.map((_, at) => createPair("B", `m${at}`, { max_requests_per_1_day: 1 }));
      const draft = new LimitDraft();
      const columns = [4];
      const cells = readCopied(writeCopied(draft, { pairs: source, columns }));
      const own = { pairs: source, columns };
      expect(planPaste(draft, cells, own, own).edits).toEqual([]);
      const other = { pairs: target, columns };
      draft.apply(planPaste(draft, cells, other, other).edits);
      expect(writeCopied(draft, other)).toBe(writeCopied(draft, own));
    }),
  );
});

test("undo and redo lead back and forth through any edits", () => {
  const texts = fc.array(fc.tuple(fc.constantFrom("5", "x2", "none", "default", "odd", ""), fc.nat(2)), {
    maxLength: 12,
  });
  const pairs = [bot, search, embedding];
  fc.assert(
    fc.property(texts, (typed) => {
      const draft = new LimitDraft();
      const states = [snapshot(draft)];
      for (const [text, at] of typed) {
        const { edits } = planSet(draft, { pairs: pairs.slice(at), columns: [REQUESTS, IMAGES] }, text);
        draft.apply(edits);
        if (edits.length > 0) states.push(snapshot(draft));
      }
      for (const state of states.toReversed().slice(1)) {
        draft.undo();
        expect(snapshot(draft)).toBe(state);
      }
      expect(draft.canUndo()).toBe(false);
      for (const state of states.slice(1)) {
        draft.redo();
        expect(snapshot(draft)).toBe(state);
      }
    }),
  );
});

test("many cells are multiplied, and those without a limit stay as they are", () => {
  const draft = new LimitDraft();
  const pair = createPair("One", "gpt-5");
  const plan = planSetFitting(draft, { pairs: [pair], columns: [REQUESTS, IMAGES] }, "x2");
  expect(plan).toMatchObject({ unfit: 1, faults: 0, edits: [{ cell: { to: 1_200 } }] });
});

test("limits are copied from the same model of a project, or from a model of the same project", () => {
  const draft = new LimitDraft();
  const source = createPair("Source", "gpt-5", { max_requests_per_1_minute: 7 });
  const target = createPair("Target", "gpt-5");
  const other = createPair("Target", "gpt-6", { max_requests_per_1_minute: 8 });
  const all = [source, target, other];
  const block = { pairs: [target], columns: [REQUESTS] };
  expect(planCopyFrom(draft, block, all, { project: source.projectId }).edits).toMatchObject([
    { pair: target.key, cell: { to: 7 } },
  ]);
  expect(planCopyFrom(draft, block, all, { model: "gpt-6" }).edits).toMatchObject([
    { pair: target.key, cell: { to: 8 } },
  ]);
});

function snapshot(draft: LimitDraft): string {
  const rows = [...draft.rows()].map(([key, row]) => [key, Object.entries(row).toSorted()] as const);
  return JSON.stringify(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
