import type { LimitField } from "@/components/rate-limits/limit-fields";
import type { DraftCell } from "./limit-draft";
import { type LimitPair, savedValue } from "./limit-pair";

/** Whether somebody saved another value since the cell was typed. */
export function hasMovedOn(pair: LimitPair, field: LimitField, { base }: DraftCell): boolean {
  const saved = savedValue(pair, field.name);
  return saved.value !== base.value || saved.isOwn !== base.isOwn;
}
