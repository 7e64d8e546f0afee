"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { replayLimitChanges } from "@/app/(console)/rate-limits/actions";
import { evenOffline } from "@/components/queries/reads/fetch-read";
import { startStream } from "@/components/queries/streams/start-stream";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { ProblemError } from "@/lib/console/gateway/problem";
import type { DraftedLimitChange } from "@/lib/contract/operations/models/rate-limit-changes";
import type { LimitReplay } from "@/lib/contract/operations/models/rate-limit-replay";
import { type ListedChange, toRequest } from "./list-changes";

/** What the changes would have done to the calls of the last days. The result before stays while they are edited. */
export function useReplay(changes: readonly ListedChange[], days: number) {
  return useReplayOf(toRequest(changes), days);
}

function useReplayOf(request: DraftedLimitChange[], days: number) {
  const queries = useQueryClient();
  const [percent, setPercent] = useState<number | null>(null);
  const queryKey = ["limit-replay", days, JSON.stringify(request)];
  const replay = useQuery<LimitReplay, ProblemError>({
    queryKey,
    queryFn: ({ signal }) => {
      setPercent(null);
      return askReplay({ changes: request, days }, signal, setPercent);
    },
    enabled: request.length > 0,
    staleTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    ...evenOffline,
  });
  return { ...replay, percent, stop: () => void queries.cancelQueries({ queryKey }) };
}

/** Ends once nobody waits for it: the changes are others, or the page was left. */
function askReplay(
  input: { changes: DraftedLimitChange[]; days: number },
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<LimitReplay> {
  return new Promise((resolve, reject) => {
    const stream = startStream(replayLimitChanges, input, (event) => {
      if (event.type === "progress") onPercent(event.percent);
      else if (event.type === "replay") resolve(event.replay);
      else reject(new ProblemError(event.problem));
    });
    const stop = () => {
      void stream.stop();
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const EFFECT_DAYS = 7;
/** Typing goes on meanwhile. */
const SETTLED_MS = 400;
/** The effect of more changes is a matter of the review. */
export const MOST_CHANGES = 500;
const none: readonly ListedChange[] = [];

/** The effect of changes while they are typed; undefined until it is known. `changes` stays the same in between. */
export function useEffectOf(changes: readonly ListedChange[]): LimitReplay | undefined {
  const settled = useDebounced(changes, SETTLED_MS);
  const isAsked = settled === changes && changes.length <= MOST_CHANGES;
  const { data, isPlaceholderData } = useReplay(isAsked ? changes : none, EFFECT_DAYS);
  return isAsked && changes.length > 0 && !isPlaceholderData ? data : undefined;
}

const nothing: DraftedLimitChange[] = [];

/** The effect of one limit while it is typed in a form; undefined until it is known. */
export function useEffectOfLimit(change: DraftedLimitChange | null): LimitReplay | undefined {
  const key = JSON.stringify(change);
  const isSettled = useDebounced(key, SETTLED_MS) === key;
  const isAsked = isSettled && change !== null;
  const { data, isPlaceholderData } = useReplayOf(isAsked ? [change] : nothing, EFFECT_DAYS);
  return isAsked && !isPlaceholderData ? data : undefined;
}

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
