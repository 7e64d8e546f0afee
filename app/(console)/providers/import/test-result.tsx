"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Status, type Tone } from "@/components/ui/status";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { formatCount } from "@/components/ui/values/group-digits";
import type { ProtocolFinding, ProviderTest } from "@/lib/contract/operations/models/provider-tests";

type TestResultProps = {
  test: ProviderTest;
  again: () => void;
  isPending: boolean;
  showsUnusable: boolean;
  setShowsUnusable: (shows: boolean) => void;
};

const looks: Record<ProtocolFinding["outcome"], { tone: Tone; label: string }> = {
  answered: { tone: "good", label: "answers" },
  refused: { tone: "near", label: "refused the call" },
  absent: { tone: "neutral", label: "not spoken" },
  unknown: { tone: "near", label: "not known" },
};

const titles: Record<ProviderTest["outcome"], string> = {
  reached: "Connected",
  refused: "Refuses the key",
  unreachable: "Not reached",
};

/** What the provider answered: to the list of models, and to one call in each protocol. */
export function TestResult({ test, again, isPending, showsUnusable, setShowsUnusable }: TestResultProps) {
  const { outcome, message, took_ms: took, models, protocols, tested_model: model } = test;
  const unusable = models?.data.filter((one) => one.unusable !== null).length ?? 0;
  const usable = (models?.data.length ?? 0) - unusable;
  const isGood = outcome === "reached" && models !== null;
  return (
    <div role="status" className="grid gap-3">
      <Notice
        tone={isGood ? "good" : outcome === "reached" ? "near" : "bad"}
        title={`${titles[outcome]} in ${describeDuration(took)}`}
        actions={
          <Button size="small" pending={isPending} onClick={again}>
            Test again
          </Button>
        }
      >
        {isGood ? (
          <>
            Listed {formatCount(models.data.length)} models: {formatCount(usable)} can be called through
            Gatehouse
            {unusable > 0 && `, ${formatCount(unusable)} are older versions or need another API`}.{" "}
            {unusable > 0 && (
              <button
                type="button"
                className="text-accent underline-offset-2 hover:underline"
                onClick={() => setShowsUnusable(!showsUnusable)}
              >
                {showsUnusable ? "Hide" : "Show"} the {formatCount(unusable)}
              </button>
            )}
          </>
        ) : (
          message
        )}
      </Notice>
      {protocols.length > 0 && (
        <ul aria-label={`One token of ${model} in each protocol`} className="grid gap-2">
          {protocols.map(({ protocol, outcome: found, message: told }) => (
            <li key={protocol}>
              <span className="flex items-baseline justify-between gap-2">
                <code className="font-mono text-sm">{protocol}</code>
                <Status tone={looks[found].tone}>{looks[found].label}</Status>
              </span>
              {found !== "answered" && <span className="block text-sm wrap-anywhere text-muted">{told}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
