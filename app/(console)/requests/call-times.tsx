import type { LoggedRequest } from "@/lib/contract/operations/requests";
import { describeDuration } from "../playground/describe-latency";

/** When the first byte came and when the call ended, on one scale; in words for whoever can't see it. */
export function CallTimes({ request }: { request: LoggedRequest }) {
  const { duration_ms: total, first_byte_ms: first, outcome } = request;
  if (outcome === "refused") {
    return <p className="text-muted">Refused at once: no provider was called and nothing was held.</p>;
  }
  if (total === null) return <p className="text-muted">It has not ended yet.</p>;
  const steps = [
    ...(first === null ? [] : [{ name: "Waiting for the first byte", from: 0, to: first }]),
    { name: first === null ? "Until its end" : "Answering", from: first ?? 0, to: total },
  ];
  const share = (ms: number) => `${total === 0 ? 0 : (ms / total) * 100}%`;
  return (
    <dl className="grid grid-cols-[auto_minmax(3rem,1fr)_auto] items-center gap-x-3 gap-y-1.5 text-sm">
      {steps.map(({ name, from, to }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd aria-hidden className="relative h-2">
            <span
              className="absolute inset-y-0 min-w-0.5 rounded-[2px] bg-accent"
              style={{ left: share(from), width: share(to - from) }}
            />
          </dd>
          <dd className="text-right">{describeDuration(to - from)}</dd>
        </div>
      ))}
      <div className="contents font-medium">
        <dt>Total</dt>
        <dd aria-hidden />
        <dd className="text-right">{describeDuration(total)}</dd>
      </div>
    </dl>
  );
}
