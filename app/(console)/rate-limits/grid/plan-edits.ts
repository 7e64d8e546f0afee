import type { LimitField } from "@/components/rate-limits/limit-fields";
import { countNouns } from "@/components/ui/values/group-digits";
import type { DraftEdit, LimitDraft } from "./limit-draft";
import { applies, type LimitPair, limitField, pairKey, resolve, savedValue } from "./limit-pair";
import { groupsByCommas, type LimitValue, parseTyped } from "./parse-typed";

/** Cells beside each other: pairs in the order in which they are shown, and columns by their index. */
export interface Block {
  readonly pairs: readonly LimitPair[];
  readonly columns: readonly number[];
}

/** What a fill or a paste would do. `refusal` says why it does nothing at all. */
export interface EditPlan {
  readonly edits: readonly DraftEdit[];
  /** Cells that it leaves because their limit doesn't apply to the model. */
  readonly skipped: number;
  /** Cells that it leaves because the person may not change them. */
  readonly locked: number;
  readonly faults: number;
  /** Cells that it leaves because what was asked for can't be done to them. */
  readonly unfit?: number;
  readonly refusal?: string;
}

/** As many pairs as the gateway saves at once. */
const MAX_PAIRS = 10_000;

/** Sets every cell of the block to the same text. */
export function planSet(draft: LimitDraft, block: Block, text: string): EditPlan {
  return planCells(draft, block, () => ({ text, dotsGroup: true }));
}

/** Sets every cell of the block that the text fits: one without a limit can't be multiplied, and stays. */
export function planSetFitting(draft: LimitDraft, block: Block, text: string): EditPlan {
  const plan = planSet(draft, block, text);
  const edits = plan.edits.filter(({ cell }) => cell?.fault === undefined);
  return { ...plan, edits, faults: 0, unfit: plan.faults };
}

/** Copies the first row of the block to those below. */
export function planFillDown(draft: LimitDraft, { pairs, columns }: Block): EditPlan {
  const [first, ...others] = pairs;
  if (!first) return noEdits;
  return planCells(draft, { pairs: others, columns }, (_, column) => toSource(draft, first, columns[column]));
}

/** Copies the first column of the block to those on its right. */
export function planFillRight(draft: LimitDraft, { pairs, columns }: Block): EditPlan {
  const [first, ...others] = columns;
  return planCells(draft, { pairs, columns: others }, (row) => toSource(draft, pairs[row], first));
}

/**
 * Pastes copied text. A single text goes into every cell of the selection, and a block is repeated where the selection
 * holds it several times. Otherwise the block goes where the selection begins, and `after` has the cells from there on.
 */
export function planPaste(
  draft: LimitDraft,
  cells: readonly (readonly string[])[],
  selection: Block,
  after: Block,
): EditPlan {
  const height = cells.length;
  const width = Math.max(0, ...cells.map((row) => row.length));
  if (height === 0 || width === 0) return noEdits;
  const isRepeated =
    selection.pairs.length % height === 0 &&
    selection.columns.length % width === 0 &&
    selection.pairs.length * selection.columns.length > height * width;
  const target = isRepeated
    ? selection
    : { pairs: after.pairs.slice(0, height), columns: after.columns.slice(0, width) };
  if (target.pairs.length < height || target.columns.length < width) {
    return refuse(describeOverflow({ height, width }, target));
  }
  const dotsGroup = !cells.some((row) => row.some(groupsByCommas));
  return planCells(draft, target, (row, column) => {
    const text = cells[row % height]?.[column % width];
    return text === undefined ? null : { text, dotsGroup };
  });
}

export const noEdits: EditPlan = { edits: [], skipped: 0, locked: 0, faults: 0 };

/** A plan that does nothing, and says why. */
export const refuse = (refusal: string): EditPlan => ({ ...noEdits, refusal });

/**
 * Copies from rows of another project or plan, each from that of the same model, or of another model, each from that of
 * the same project.
 */
export function planCopyFrom(
  draft: LimitDraft,
  { pairs, columns }: Block,
  all: readonly LimitPair[],
  from: { readonly project?: string; readonly model?: string },
): EditPlan {
  const sources = new Map(all.map((pair) => [pair.key, pair]));
  return planCells(draft, { pairs, columns }, (row, column) => {
    const pair = pairs[row];
    if (!pair) return null;
    const key = pairKey(from.project ?? pair.projectId, from.model ?? pair.model);
    return toSource(draft, sources.get(key), columns[column]);
  });
}

type Source = { readonly text: string; readonly dotsGroup: boolean } | { readonly to: LimitValue } | null;

/** What a cell holds, to be copied to another one; null if it holds text that isn't understood, or nothing. */
function toSource(draft: LimitDraft, pair: LimitPair | undefined, column: number | undefined): Source {
  if (pair === undefined || column === undefined) return null;
  const field = limitField(column);
  if (!applies(pair, field)) return null;
  const cell = draft.cell(pair.key, field.name);
  if (cell) return cell.fault === undefined ? { to: cell.to } : null;
  return { to: savedValue(pair, field.name).value };
}

export function planCells(
  draft: LimitDraft,
  { pairs, columns }: Block,
  find: (row: number, column: number) => Source,
): EditPlan {
  const edits: DraftEdit[] = [];
  let [skipped, locked, faults] = [0, 0, 0];
  const touched = new Set<string>();
  for (const [row, pair] of pairs.entries()) {
    for (const [at, column] of columns.entries()) {
      const source = find(row, at);
      if (source === null) continue;
      const field = limitField(column);
      if (!applies(pair, field)) skipped++;
      else if (pair.isLocked) locked++;
      if (!applies(pair, field) || pair.isLocked) continue;
      const edit = planCell(draft, pair, field, source);
      if (!edit) continue;
      edits.push(edit);
      touched.add(pair.key);
      if (edit.cell?.fault !== undefined) faults++;
    }
  }
  const added = [...touched].filter((key) => !draft.rows().has(key)).length;
  if (draft.counts().pairs + added > MAX_PAIRS) {
    return refuse("At most 10,000 rows are changed at once. Save some, or select fewer.");
  }
  return { edits, skipped, locked, faults };
}

/** The edit of one cell; undefined if it stays as it is. */
function planCell(
  draft: LimitDraft,
  pair: LimitPair,
  field: LimitField,
  source: NonNullable<Source>,
): DraftEdit | undefined {
  const present = draft.cell(pair.key, field.name);
  const saved = savedValue(pair, field.name);
  const edit = { pair: pair.key, field: field.name };
  if ("to" in source) {
    if (source.to === null && !field.removable) {
      return planCell(draft, pair, field, { text: "none", dotsGroup: true });
    }
    // What is saved already is no change: a number that is the default as well stays the default.
    const isSaved = source.to === "default" ? !saved.isOwn : source.to === saved.value;
    if (isSaved) return present && { ...edit, cell: undefined };
    return { ...edit, cell: { base: saved, to: source.to } };
  }
  const held = present?.fault === undefined && present ? resolve(pair, field.name, present.to) : saved.value;
  const parsed = parseTyped(source.text, { field, present: held, dotsGroup: source.dotsGroup });
  if (parsed.kind === "unchanged") return undefined;
  if (parsed.kind === "set") return planCell(draft, pair, field, parsed);
  return { ...edit, cell: { base: saved, typed: source.text.trim(), fault: parsed.message } };
}

function describeOverflow(copied: { height: number; width: number }, target: Block): string {
  const rows = countNouns(copied.height, "row");
  const columns = countNouns(copied.width, "column");
  const fits =
    target.pairs.length < copied.height
      ? `${countNouns(target.pairs.length, "row")} from here on`
      : `${countNouns(target.columns.length, "column")} from here on`;
  return `Nothing was pasted: the copied block has ${rows} and ${columns}, and there is room for only ${fits}.`;
}
