"use client";

import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import type { SpendAlertFiring } from "@/lib/contract/operations/money/spend-alert-firings";
import { sendFiring } from "./spend-actions";

/** Sends a fired alert's callback again, with new attempts from the first on. */
export function SendAgain({ firing }: { firing: SpendAlertFiring }) {
  const send = useAction(sendFiring, {
    refetch: ["listSpendAlertFirings", "listProjectSpendAlertFirings"],
    onSuccess: () => void toast({ message: "It is being sent again" }),
    onError: ({ problem }) => void toast({ message: problem.message, tone: "bad" }),
  });
  return (
    <Button size="small" pending={send.isPending} onClick={() => send.mutate({ firingId: firing.id })}>
      Send again<span className="sr-only"> what reached {firing.threshold}</span>
    </Button>
  );
}
