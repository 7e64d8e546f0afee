"use client";

import { PlugZap } from "lucide-react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Status, type Tone } from "@/components/ui/status";
import { describeDuration } from "@/components/ui/values/describe-latency";
import type { ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import { testProvider } from "./actions";

const outcomes: Record<ProviderTest["outcome"], { tone: Tone; label: string }> = {
  reached: { tone: "good", label: "Reached" },
  refused: { tone: "bad", label: "Refuses the key" },
  unreachable: { tone: "bad", label: "Not reached" },
};

/** Tests whether a provider responds, free of charge. Shows the result next to the button. */
export function TestConnection({ providerId }: { providerId: string }) {
  const test = useAction(testProvider);
  return (
    <div className="grid justify-items-start">
      <Button
        size="small"
        pending={test.isPending}
        aria-label={`Test connection to ${providerId}`}
        onClick={() => test.mutate({ providerId })}
      >
        <PlugZap aria-hidden />
        Test connection
      </Button>
      <div role="status" className="text-sm not-empty:my-1">
        {test.data && <Found test={test.data} />}
        {test.error && <span className="text-danger">{test.error.problem.message}</span>}
      </div>
    </div>
  );
}

function Found({ test: { outcome, message, took_ms: took } }: { test: ProviderTest }) {
  const { tone, label } = outcomes[outcome];
  return (
    <>
      <Status tone={tone}>
        {label} in {describeDuration(took)}
      </Status>
      <span className="block text-muted">{message}</span>
    </>
  );
}
