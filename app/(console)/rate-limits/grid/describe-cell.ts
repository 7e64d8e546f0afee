import type { LimitField } from "@/components/rate-limits/limit-fields";
import { nameCounted } from "@/components/rate-limits/limit-fields";
import { formatCount } from "@/components/ui/values/group-digits";
import { limitWindows, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import type { DraftCell } from "./limit-draft";
import { type LimitPair, resolve, savedValue } from "./limit-pair";
import { parseTyped } from "./parse-typed";

export const writeLimit = (value: number | null): string =>
  value === null ? "no limit" : formatCount(value);

/** "in any 60 s", below the head of a column. */
export function describeWindow({ name }: LimitField): string {
  return rateLimitTable[name].window === "minute" ? "in any 60 s" : "in any 24 h";
}

/** What the cell holds, for those who hear it: "900, was 600", "no limit, default". */
export function describeCell(pair: LimitPair, field: LimitField, cell: DraftCell | undefined): string {
  const saved = savedValue(pair, field.name);
  const was = writeLimit(saved.value);
  if (cell?.fault !== undefined) return `${cell.typed}, not understood. Was ${was}`;
  if (cell) return `${writeLimit(resolve(pair, field.name, cell.to))}, changed from ${was}`;
  const isDeparting = pair.plan?.sets[field.name] !== undefined;
  return `${was}, ${isDeparting ? describeOrigin(pair, field) : saved.isOwn ? "set by hand" : "default"}`;
}

/** Where a saved value is from: "set by hand, the plan Trial has 20". */
export function describeOrigin(pair: LimitPair, { name }: LimitField): string {
  const fromPlan = pair.plan?.sets[name] === undefined ? null : `the plan ${pair.plan.name}`;
  if (!savedValue(pair, name).isOwn) {
    if (pair.kind === "project") return fromPlan ? `as ${fromPlan} says` : "the model’s default";
    return pair.kind === "plan" || pair.model !== "" ? "the default" : "from the configuration";
  }
  const set = { project: "set by hand", plan: "set by the plan", default: "set here" }[pair.kind];
  if (!pair.defaults) return set;
  return `${set}, ${fromPlan ? `${fromPlan} has` : "the default is"} ${writeLimit(pair.defaults[name])}`;
}

type Understood = { readonly isFault: boolean; readonly text: string };

/** What typing this would do: the number with its unit, or why it isn't understood. */
export function describeTyped(
  pair: LimitPair,
  field: LimitField,
  cell: DraftCell | undefined,
  text: string,
): Understood {
  const saved = savedValue(pair, field.name).value;
  const present = cell && cell.fault === undefined ? resolve(pair, field.name, cell.to) : saved;
  const typed = parseTyped(text, { field, present });
  if (typed.kind === "fault") return { isFault: true, text: typed.message };
  if (typed.kind === "unchanged") return { isFault: false, text: `stays ${writeLimit(present)}` };
  if (typed.to === "default") {
    const number = pair.defaults ? describeNumber(field, pair.defaults[field.name]) : "what the model has";
    const plan = pair.plan?.sets[field.name] === undefined ? null : pair.plan.name;
    return { isFault: false, text: `${number}, ${plan === null ? "the default" : `the plan ${plan}`}` };
  }
  return { isFault: false, text: describeNumber(field, typed.to) };
}

/** "12,000 requests in any 24 hours"; "no limit"; "0: nothing passes". */
export function describeNumber({ name }: LimitField, value: number | null): string {
  if (value === null) return "no limit";
  if (value === 0) return "0: nothing passes";
  const { words } = limitWindows[rateLimitTable[name].window];
  return `${formatCount(value)} ${nameCounted(name, value)} ${words}`;
}
