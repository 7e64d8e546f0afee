"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { Skeleton } from "@/components/ui/states/skeleton";
import { Money } from "@/components/ui/values/money";

const ApprovalDialog = loadOnClient(() => import("./approval-dialog").then((file) => file.ApprovalDialog));

/** Shows the amount above which payments need a second person's approval. */
export function ApprovalCard({ canSet }: { canSet: boolean }) {
  const dialog = useFormDialog("payment-approval", canSet);
  return (
    <ReadState
      read={useRead("retrievePaymentApproval")}
      to="see the approval rule"
      skeleton={<Skeleton className="h-16 w-full" />}
    >
      {(approval) => (
        <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 className="font-medium">
              {approval.above === null ? (
                "No payment needs approval"
              ) : (
                <>
                  Approval above <Money amount={approval.above} currency={approval.currency} />
                </>
              )}
            </h2>
            <p className="max-w-prose text-sm text-muted">
              {approval.above === null
                ? "Anyone who can record payments can record any amount without approval."
                : "A larger payment, or more than that by one person within 24 hours, waits until a second member approves it. It can’t be spent until then."}
              {approval.waits && " A change of this amount waits for approval below."}
            </p>
          </div>
          {canSet && <Button onClick={dialog.open}>Change approval</Button>}
          {dialog.isOpen && <ApprovalDialog approval={approval} close={dialog.close} />}
        </Card>
      )}
    </ReadState>
  );
}
