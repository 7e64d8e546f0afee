import { Check, CircleHelp, Minus, X } from "lucide-react";
import { labelCheck } from "@/components/requests/describe-outcome";
import { classNames } from "@/components/ui/class-names";
import { groupDigits, trimDecimal } from "@/components/ui/values/group-digits";
import type { RequestCheck } from "@/lib/contract/operations/calls/receipt-parts";

const verdicts = {
  passed: { icon: Check, label: "passed", look: "text-success" },
  refused: { icon: X, label: "refused", look: "text-danger" },
  would_refuse: { icon: X, label: "would have refused too", look: "text-danger" },
  not_limited: { icon: Minus, label: "doesn’t apply", look: "text-muted" },
  not_reached: { icon: Minus, label: "not reached", look: "text-muted" },
  unknown: { icon: CircleHelp, label: "did not decide", look: "text-muted" },
} as const;

type CheckListProps = { checks: readonly RequestCheck[]; keyName: string | null; currency: string };

/** All checks of a call in order, with their figures and results. */
export function CheckList({ checks, keyName, currency }: CheckListProps) {
  return (
    <ol className="grid gap-0.5">
      {checks.map((check) => {
        const { icon: Icon, label, look } = verdicts[check.verdict];
        const isDecider = check.verdict === "refused";
        return (
          <li key={check.check} className="flex min-h-6 items-baseline gap-2.5">
            <Icon aria-hidden className={classNames("size-3.5 shrink-0 translate-y-0.5", look)} />
            <span
              className={classNames(
                isDecider && "font-medium",
                !["passed", "refused", "would_refuse"].includes(check.verdict) && "text-muted",
              )}
            >
              {labelCheck(check.check)}
              <span className="sr-only">: {label}</span>
            </span>
            <span
              className={classNames(
                "ml-auto min-w-0 text-right text-sm wrap-anywhere",
                isDecider ? "font-medium text-danger" : "text-muted",
              )}
            >
              {(check.check === "key" ? keyName : describeFigures(check, currency)) ??
                (check.verdict === "passed" ? "" : label)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Returns text such as `397,850 of 400,000, needs 18,400`, as far as the figures were recorded. */
function describeFigures(
  { check, verdict, value, limit, needed, window }: RequestCheck,
  currency: string,
): string | null {
  if (check === "model" || check === "request") return value;
  if (verdict === "not_reached") return null;
  const isMoney = window === "month" || check === "balance";
  const written = (text: string) => groupDigits(isMoney ? trimDecimal(text) : text);
  const used =
    value === null ? null : limit === null ? written(value) : `${written(value)} of ${written(limit)}`;
  const needs = needed === null ? null : `${neededWord(verdict, isMoney)} ${written(needed)}`;
  if (verdict === "unknown" || verdict === "not_limited") return null;
  const parts = [used, needs].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return isMoney ? `${parts.join(", ")} ${currency}` : parts.join(", ");
}

const neededWord = (verdict: RequestCheck["verdict"], isMoney: boolean) =>
  verdict !== "passed" ? "needs" : isMoney ? "held" : "took";
