"use client";

import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { closeCircuit } from "./actions";

/** Closes a circuit breaker, so that the gateway sends calls again. */
export function CloseCircuit({ providerId, model }: { providerId: string; model: string }) {
  const close = useAction(closeCircuit, {
    refetch: ["retrieveHealth"],
    onSuccess: () => toast({ message: `Circuit of ${model} at ${providerId} closed` }),
  });
  return (
    <div className="grid justify-items-start gap-1 py-1">
      <Button
        size="small"
        pending={close.isPending}
        aria-label={`Close the circuit of ${model} at ${providerId} now`}
        onClick={() => close.mutate({ providerId, model })}
      >
        Close now
      </Button>
      {close.error && (
        <span role="alert" className="text-sm text-danger">
          {close.error.problem.message}
        </span>
      )}
    </div>
  );
}
