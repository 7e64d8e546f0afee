"use client";

import { useEffect, useRef, useState } from "react";
import { startStream } from "@/components/queries/streams/start-stream";
import { limitLabels } from "@/components/rate-limits/limit-fields";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { Spinner } from "@/components/ui/spinner";
import { Status } from "@/components/ui/status";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { describeLimit, type RateLimitField, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import type { LimitProof, RunningLimitProof } from "@/lib/contract/operations/models/rate-limit-proofs";
import { proveRateLimit } from "./actions";

type Shown =
  | { kind: "running"; field: RateLimitField; progress: RunningLimitProof["running"] }
  | { kind: "proof"; field: RateLimitField; proof: LimitProof }
  | { kind: "problem"; field: RateLimitField; problem: Problem }
  | { kind: "stopped"; field: RateLimitField };

/** Proves saved limits, one at a time. Leaving the page stops it. */
export function useLimitProof(target: { projectId: string; rateLimitId: string }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const stream = useRef<ReturnType<typeof startStream> | null>(null);
  useEffect(() => () => void stream.current?.stop(), []);
  return {
    shown,
    isRunning: shown?.kind === "running",
    prove(field: RateLimitField) {
      setShown({ kind: "running", field, progress: null });
      stream.current = startStream(proveRateLimit, { ...target, field }, (event) => {
        if (event.type === "progress") setShown({ kind: "running", field, progress: event.running });
        else if (event.type === "proof") setShown({ kind: "proof", field, proof: event.proof });
        else setShown({ kind: "problem", field, problem: event.problem });
      });
    },
    stop() {
      void stream.current?.stop();
      setShown((before) => before && { kind: "stopped", field: before.field });
    },
  };
}

/** On a phone it is far below the button. */
const showOnce = (panel: HTMLElement | null) => panel?.scrollIntoView({ block: "nearest" });

/** The proof of a limit: how far it is, and then what was admitted and refused. */
export function LimitProofPanel({
  proof: { shown, stop, prove },
}: {
  proof: ReturnType<typeof useLimitProof>;
}) {
  if (!shown) return null;
  const { field } = shown;
  return (
    <Section
      title={`Proof: ${limitLabels[field]}`}
      actions={
        shown.kind === "running" ? (
          <Button size="small" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button size="small" onClick={() => prove(field)}>
            Prove again
          </Button>
        )
      }
    >
      <div
        key={field}
        ref={showOnce}
        aria-live="polite"
        className="grid gap-3 rounded-md border bg-surface px-4 py-3.5 text-sm"
      >
        {shown.kind === "running" && <Running progress={shown.progress} />}
        {shown.kind === "proof" && <Proved proof={shown.proof} />}
        {shown.kind === "problem" && <p>{shown.problem.message}</p>}
        {shown.kind === "stopped" && (
          <p className="text-muted">Stopped: no further calls are sent, and nothing is proved.</p>
        )}
      </div>
    </Section>
  );
}

function Running({ progress }: { progress: RunningLimitProof["running"] }) {
  if (!progress)
    return (
      <p className="flex items-center gap-2 text-muted">
        <Spinner /> Sending calls to the sandbox…
      </p>
    );
  const { admitted, refused, calls } = progress;
  return (
    <>
      <p className="flex items-center gap-2">
        <Spinner /> {formatCount(admitted + refused)} of at most {countNouns(calls, "call")} sent
      </p>
      <Outcomes admitted={admitted} refused={refused} total={calls} />
    </>
  );
}

const verdicts = {
  held: { tone: "good", text: "The limit holds" },
  exceeded: { tone: "bad", text: "More was admitted than the limit allows" },
  not_reached: { tone: "neutral", text: "The limit was not reached" },
} as const;

function Proved({ proof }: { proof: LimitProof }) {
  const { admitted, refused, limit, field, verdict, ledger, scratch } = proof;
  const { counts, words } = rateLimitTable[field];
  const [first] = proof.refused_by;
  const isCalls = counts === "requests";
  return (
    <>
      <Status tone={verdicts[verdict].tone}>
        <b className="text-base font-semibold">{verdicts[verdict].text}</b>
      </Status>
      <p>
        {formatCount(admitted)} admitted
        {!isCalls && ` with ${formatCount(proof.admitted_amount)} ${words.amount}`}, {formatCount(refused)}{" "}
        refused
        {refused > 0 && ` by ${proof.refused_by.map(({ code }) => nameCheck(code)).join(" and ")}`}. The limit
        is {formatCount(limit)} {describeLimit(field)}.
      </p>
      <Outcomes admitted={admitted} refused={refused} total={admitted + refused} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">Ledger afterwards</dt>
        <dd className="tabular-nums">
          held {ledger.held} for {countNouns(ledger.held_calls, "call")}, charged {ledger.charged}
        </dd>
        <dt className="text-muted">Took</dt>
        <dd className="tabular-nums">{(proof.took_ms / 1_000).toFixed(1)} s</dd>
        {first && (
          <>
            <dt className="text-muted">First refused</dt>
            <dd>
              <TextLink href={paths.request(first.first_request_id)}>View receipt</TextLink>
            </dd>
          </>
        )}
      </dl>
      <p className="text-pretty text-muted">
        The calls went to {scratch.model} through the same limiter as every call, in a separate, archived
        project with these limits. They cost nothing and used none of this project’s limits. Their key is
        revoked.
      </p>
    </>
  );
}

function nameCheck(code: string): string {
  return Object.hasOwn(limitLabels, code) ? limitLabels[code as RateLimitField].toLowerCase() : code;
}

/** Admitted and refused calls, as parts of all. Decorative: the numbers are next to it. */
function Outcomes({ admitted, refused, total }: { admitted: number; refused: number; total: number }) {
  const share = (calls: number) => `${total === 0 ? 0 : (calls / total) * 100}%`;
  return (
    <span aria-hidden className="flex h-1.5 w-full overflow-hidden rounded-full bg-default">
      <span className="bg-success forced-color-adjust-none" style={{ width: share(admitted) }} />
      <span className="bg-danger forced-color-adjust-none" style={{ width: share(refused) }} />
    </span>
  );
}
