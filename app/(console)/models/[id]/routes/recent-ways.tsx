import { Check, ChevronRight, X } from "lucide-react";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { ClockTime } from "@/components/ui/time/clock-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { paths } from "@/lib/console/paths";
import type { RouteActivity } from "@/lib/contract/operations/models/model-routes";
import { causeWords } from "./route-words";

type Call = RouteActivity["recent"][number];

/** The whole way of each recent call, failures included. */
export function RecentWays({ modelId, calls }: { modelId: string; calls: readonly Call[] }) {
  return (
    <Section
      title="Where recent calls went"
      actions={<TextLink href={paths.requests({ model: modelId })}>All calls</TextLink>}
    >
      {calls.length === 0 ? (
        <p className="text-sm text-muted">No call in the last hour.</p>
      ) : (
        <ol className="divide-y border-y">
          {calls.map((call) => (
            <li key={call.id} className="flex items-baseline gap-3 py-1.5">
              <TextLink href={paths.request(call.id)} aria-label={`Call ${call.id}`}>
                <ClockTime at={call.at} />
              </TextLink>
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
                {call.attempts.map((attempt, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a call's attempts never change their order
                  <Attempt key={at} attempt={attempt} isFirst={at === 0} />
                ))}
              </span>
              {call.duration_ms !== null && (
                <span className="text-sm tabular-nums">{describeDuration(call.duration_ms)}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Attempt({ attempt, isFirst }: { attempt: Call["attempts"][number]; isFirst: boolean }) {
  const { provider, model, cause, status } = attempt;
  const look = cause ? "bg-danger-soft text-danger" : "bg-success-soft text-success";
  const Icon = cause ? X : Check;
  return (
    <>
      {!isFirst && <ChevronRight aria-label="then" className="size-3.5 text-muted" />}
      <span
        title={model}
        className={`inline-flex items-center gap-1 rounded-sm px-1.5 text-sm wrap-anywhere ${look}`}
      >
        <Icon aria-label={cause ? "failed" : "answered"} className="size-3.5 shrink-0" />
        {provider}
        {cause && ` ${status ?? causeWords[cause].short}`}
      </span>
    </>
  );
}
