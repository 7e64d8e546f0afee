import { countNouns, formatCount } from "@/components/ui/values/group-digits";

type Difference = { readonly newly_refused: number; readonly newly_let_through: number };

/** "633 more calls let through, 138 more refused". */
export function describeDifference({
  newly_let_through: passed,
  newly_refused: refused,
}: Difference): string {
  if (passed === 0 && refused === 0) return "No call would have had another outcome";
  if (refused === 0) return `${formatCount(passed)} more ${passed === 1 ? "call" : "calls"} let through`;
  if (passed === 0) return `${formatCount(refused)} more ${refused === 1 ? "call" : "calls"} refused`;
  return `${formatCount(passed)} more calls let through, ${formatCount(refused)} more refused`;
}

/** "+633", "−138", "+5 −2" beside a pair; "none" if nothing changes. */
export function writeDifference({ newly_let_through: passed, newly_refused: refused }: Difference): string {
  const parts = [passed > 0 && `+${formatCount(passed)}`, refused > 0 && `−${formatCount(refused)}`];
  return parts.filter(Boolean).join(" ") || "none";
}

type Effect = Difference & { readonly calls: number };

/** "would have refused 12 of 4,100 calls in the last 7 days", while it is typed. */
export function describeEffect({ calls, newly_refused: refused, newly_let_through: passed }: Effect): string {
  const span = "in the last 7 days";
  if (calls === 0) return `no calls ${span}`;
  const all = `of ${countNouns(calls, "call")} ${span}`;
  if (refused === 0 && passed === 0) return `would have changed none ${all}`;
  if (refused === 0) return `would have let ${formatCount(passed)} more ${all} through`;
  const more = passed > 0 ? `, and let ${formatCount(passed)} more through` : "";
  return `would have refused ${formatCount(refused)} more ${all}${more}`;
}

export function effectTone({ newly_refused: refused, newly_let_through: passed }: Difference): string {
  if (refused > 0) return "text-danger";
  return passed > 0 ? "text-success" : "text-muted";
}
