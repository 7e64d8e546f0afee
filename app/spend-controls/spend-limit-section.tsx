"use client";

import { Gauge } from "lucide-react";
import dynamic from "next/dynamic";
import { HistoryLink } from "@/app/object-page/history-link";
import { useRead } from "@/app/queries/reads/use-read";
import { ReadState } from "@/app/queries/states/read-state";
import { useFormDialog } from "@/components/form/use-form-dialog";
import { EmptyState } from "@/components/states/empty-state";
import { Skeleton } from "@/components/states/skeleton";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { RemoveSpendLimit } from "./remove-spend-limit";
import { SpendLimitCard } from "./spend-limit-card";
import { nameSpendPlace, type SpendPlace } from "./spend-place";
import { limitRead, spentRead } from "./spend-reads";

const SpendLimitDialog = dynamic(() => import("./spend-limit-dialog").then((file) => file.SpendLimitDialog), {
  ssr: false,
});

/** The limit on a calendar month's spend, and the spend so far. */
export function SpendLimitSection(place: SpendPlace) {
  const [id, parameters] = limitRead(place);
  const limit = useRead<"retrieveSpendLimit" | "retrieveProjectSpendLimit">(id, parameters);
  const [spentId, spentParameters] = spentRead(place);
  const spent = useRead(spentId, spentParameters, { enabled: place.may("api.requests.read") });
  const canWrite = place.may("api.spend_limits.write");
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
            <HistoryLink id={place.project?.id ?? "organization"} projectId={place.project?.id} />
            {canWrite && <RemoveSpendLimit place={place} limit={saved} />}
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
          example={`For example 500.00 ${place.currency} a month.`}
        >
          {place.project
            ? "Only the organization’s limit and the balance cap what this project can spend."
            : "Only the balance caps what all projects together can spend."}
        </EmptyState>
      ) : (
        <ReadState
          read={limit}
          to={`show the spend limit of ${nameSpendPlace(place)}`}
          skeleton={<Skeleton className="h-28 w-full" />}
        >
          {(shown) => <SpendLimitCard limit={shown} spent={spent.data} />}
        </ReadState>
      )}
      {dialog.isOpen && <SpendLimitDialog place={place} limit={saved} close={dialog.close} />}
    </Section>
  );
}
