"use client";

import { Gauge } from "lucide-react";
import { limitRead, spentRead } from "@/components/money/spend-reads";
import { nameSpendScope, type SpendScope } from "@/components/money/spend-scope";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { Skeleton } from "@/components/ui/states/skeleton";
import { RemoveSpendLimit } from "./remove-spend-limit";
import { SpendLimitCard } from "./spend-limit-card";

const SpendLimitDialog = loadOnClient(() =>
  import("./spend-limit-dialog").then((file) => file.SpendLimitDialog),
);

/** The limit on a calendar month's spend, and the spend so far. */
export function SpendLimitSection(scope: SpendScope) {
  const [id, parameters] = limitRead(scope);
  const limit = useRead<"retrieveSpendLimit" | "retrieveProjectSpendLimit">(id, parameters);
  const [spentId, spentParameters] = spentRead(scope);
  const spent = useRead(spentId, spentParameters, { enabled: scope.may("api.requests.read") });
  const canWrite = scope.may("api.spend_limits.write");
  const dialog = useFormDialog("spend-limit", canWrite);
  // After a removal, the cached data is of the removed limit.
  const isUnlimited = limit.error?.problem.code === "not_found";
  const saved = isUnlimited ? null : (limit.data ?? null);
  const setButton = canWrite && (
    <Button variant={saved ? "secondary" : "primary"} onClick={dialog.open}>
      {saved ? "Change limit" : "Set a limit"}
    </Button>
  );
  return (
    <Section
      title="Spend limit"
      description="What the calls of a calendar month (UTC) may cost. A call that could exceed it is refused before it is sent."
      actions={
        saved && (
          <>
            <HistoryLink id={scope.project?.id ?? "organization"} projectId={scope.project?.id} />
            {canWrite && <RemoveSpendLimit scope={scope} limit={saved} />}
            {setButton}
          </>
        )
      }
    >
      {isUnlimited ? (
        <EmptyState
          icon={Gauge}
          title="No spend limit"
          action={setButton}
          example={`For example 500.00 ${scope.currency} a month.`}
        >
          {scope.project
            ? "Only the organization’s limit and the balance cap what this project can spend."
            : "Only the balance caps what all projects together can spend."}
        </EmptyState>
      ) : (
        <ReadState
          read={limit}
          to={`show the spend limit of ${nameSpendScope(scope)}`}
          skeleton={<Skeleton className="h-28 w-full" />}
        >
          {(shown) => <SpendLimitCard limit={shown} spent={spent.data} />}
        </ReadState>
      )}
      {dialog.isOpen && <SpendLimitDialog scope={scope} limit={saved} close={dialog.close} />}
    </Section>
  );
}
