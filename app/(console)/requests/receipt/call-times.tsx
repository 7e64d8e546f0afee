import { classNames } from "@/components/ui/class-names";
import { describeDuration } from "@/components/ui/values/describe-latency";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { buildWaterfall, type Step, type StepGroup } from "./waterfall-steps";

/**
 * Shows where a call's time went, by attempt, on one scale. A table with bars that are hidden from assistive
 * technology.
 */
export function CallTimes({ receipt }: { receipt: RequestReceipt }) {
  const { duration_ms: total, outcome } = receipt.request;
  if (outcome === "refused") {
    return <p className="text-muted">Refused at once: no provider was called and nothing was held.</p>;
  }
  const groups = buildWaterfall(receipt);
  if (total === null || groups === null) return <p className="text-muted">It has not ended yet.</p>;
  return (
    <table className="w-full border-separate border-spacing-y-0.5 text-sm" aria-label="Where its time went">
      <thead className="sr-only">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Bar</th>
          <th scope="col">Begins after</th>
          <th scope="col">Takes</th>
        </tr>
      </thead>
      {groups.map((group, index) => (
        <Group key={group.name ?? index} group={group} total={total} />
      ))}
      <tbody>
        <tr className="font-medium">
          <th scope="row" colSpan={3} className="pt-1 text-left font-medium">
            Total
          </th>
          <td className="pt-1 text-right whitespace-nowrap">{describeDuration(total)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Group({
  group: { name, outcome, providerRequestId, steps },
  total,
}: {
  group: StepGroup;
  total: number;
}) {
  return (
    <tbody>
      {name !== null && (
        <tr>
          <th scope="rowgroup" colSpan={4} className="pt-2 pb-0.5 text-left font-normal">
            <span className="font-mono wrap-anywhere">{name}</span>{" "}
            <span className="text-muted">{outcome}</span>
            {providerRequestId !== null && (
              <span className="block text-muted">
                its id <span className="font-mono wrap-anywhere">{providerRequestId}</span>
              </span>
            )}
          </th>
        </tr>
      )}
      {steps.map((step) => (
        <StepRow key={step.name} step={step} total={total} />
      ))}
    </tbody>
  );
}

const looks: Record<Step["tone"], string> = {
  waiting: "bg-chart-rest",
  answering: "bg-accent",
  failed: "bg-danger",
};

function StepRow({ step: { name, from, to, tone }, total }: { step: Step; total: number }) {
  const share = (ms: number) => `${total === 0 ? 0 : (Math.min(ms, total) / total) * 100}%`;
  return (
    <tr>
      <th scope="row" className="w-px pr-3 text-left font-normal whitespace-nowrap text-muted">
        {name}
      </th>
      <td aria-hidden className="min-w-12">
        <span className="relative block h-2.5 rounded-[2px] bg-default-soft">
          <span
            className={classNames(
              "absolute inset-y-0 min-w-0.5 rounded-[2px] forced-color-adjust-none",
              looks[tone],
            )}
            style={{ left: share(from), width: share(Math.max(0, to - from)) }}
          />
        </span>
      </td>
      <td className="w-px pl-3 text-right whitespace-nowrap text-muted">
        <span className="sr-only">{describeDuration(from)}</span>
      </td>
      <td className="w-px text-right whitespace-nowrap">{describeDuration(Math.max(0, to - from))}</td>
    </tr>
  );
}
