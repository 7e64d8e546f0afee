"use client";

import { limitFields } from "@/components/rate-limits/limit-fields";
import { ApiName } from "@/components/ui/api-name";
import { Button } from "@/components/ui/button";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { ClockTime } from "@/components/ui/time/clock-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { ReplayedChange } from "@/lib/contract/operations/models/rate-limit-replay";
import { writeDifference } from "./describe-replay";
import { useGrid } from "./grid-context";
import type { LimitPair } from "./limit-pair";
import { planSet } from "./plan-edits";

type ReplayDetailsProps = { pair: LimitPair; replayed: ReplayedChange };

/** When calls of a pair would have been refused, of which keys, the first of them, and what would refuse none. */
export function ReplayDetails({ pair, replayed }: ReplayDetailsProps) {
  const { spans, keys, examples, still_refused: still } = replayed;
  return (
    <div className="grid gap-4 border-t bg-background px-3.5 py-3 text-sm sm:grid-cols-2">
      <LeastValues pair={pair} replayed={replayed} />
      {spans.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">When</h3>
          <ul>
            {spans.map(({ from, to, calls }) => (
              <li key={from} className="flex justify-between gap-4">
                <span>
                  <ClockTime at={from} toMinute />
                  {to - from >= 60 && (
                    <>
                      {" – "}
                      <ClockTime at={to} toMinute />
                    </>
                  )}
                </span>
                <span>{formatCount(calls)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {keys.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">Which keys</h3>
          <ul>
            {keys.map((key) => (
              <li key={key.key_id} className="flex justify-between gap-4">
                <span className="truncate">{key.key_name ?? key.key_id}</span>
                <span>{writeDifference(key)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {examples.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">First calls refused</h3>
          <ul>
            {examples.map(({ request_id, at, refused_by }) => (
              <li key={request_id} className="flex justify-between gap-4">
                <ConsoleLink href={paths.request(request_id)} className="text-accent-text underline">
                  <ClockTime at={at} className="font-mono text-xs" />
                </ConsoleLink>
                <span className="truncate text-muted">
                  {limitFields.find(({ name }) => name === refused_by)?.label}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {still > 0 && (
        <p className="text-muted sm:col-span-2">
          {formatCount(still)} calls that were refused then would have been refused again.
        </p>
      )}
    </div>
  );
}

/** For each limit of the draft, the least one that refuses none, with a button that takes it. */
function LeastValues({ pair, replayed }: ReplayDetailsProps) {
  const { draft, make } = useGrid();
  const fields = limitFields.flatMap((field, column) => {
    const least = replayed.least_values[field.name];
    return least === undefined ? [] : { field, column, least };
  });
  if (fields.length === 0) return null;
  return (
    <section className="sm:col-span-2">
      <h3 className="mb-1 font-semibold">The least that refuses none</h3>
      <ul className="grid gap-1.5">
        {fields.map(({ field, column, least }) => (
          <li key={field.name} className="flex flex-wrap items-center gap-3">
            <Button
              size="small"
              onClick={() => make(planSet(draft, { pairs: [pair], columns: [column] }, String(least)), "Set")}
            >
              Use {formatCount(least)}
            </Button>
            {field.label} <ApiName name={field.name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
