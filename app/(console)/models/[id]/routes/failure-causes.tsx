import { Section } from "@/components/ui/section";
import { Quantity } from "@/components/ui/values/quantity";
import { attemptCauses } from "@/lib/contract/calls/attempt-cause";
import type { RouteActivity } from "@/lib/contract/operations/models/model-routes";
import { causeWords } from "./route-words";

/** What happens when a call fails, by cause, and how often each came up. */
export function FailureCauses({ causes }: Pick<RouteActivity, "causes">) {
  const counts = new Map(causes.map(({ cause, attempts }) => [cause, attempts]));
  return (
    <Section
      title="What happens when a call fails"
      description="A call is tried at most three times, and never again once the first byte of an answer has arrived."
    >
      <dl className="rounded-md border">
        <div className="grid grid-cols-[minmax(0,1fr)_5rem_minmax(0,1fr)] gap-x-4 border-b bg-default-soft px-3 py-1.5 text-sm text-muted">
          <dt>Cause</dt>
          <dd className="text-right">last hour</dd>
          <dd>then</dd>
        </div>
        {attemptCauses.map((cause) => (
          <div
            key={cause}
            className="grid grid-cols-[minmax(0,1fr)_5rem_minmax(0,1fr)] gap-x-4 border-b px-3 py-1.5 last:border-b-0"
          >
            <dt>{causeWords[cause].what}</dt>
            <dd className="text-right tabular-nums">
              {counts.has(cause) ? (
                <Quantity value={counts.get(cause) ?? 0} />
              ) : (
                <span className="text-muted">–</span>
              )}
            </dd>
            <dd className="text-sm text-muted">{causeWords[cause].next}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
