"use client";

import { Layers, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { formatCount } from "@/components/ui/values/group-digits";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import { waitingDrafts } from "./grid-reads";

const PlansDialog = loadOnClient(() => import("./plans-dialog").then((file) => file.PlansDialog));
const ApprovalsDialog = loadOnClient(() => import("./approvals-dialog").then((file) => file.ApprovalsDialog));

/** A button that opens the plans. */
export function PlansButton({ plans }: { plans: readonly LimitPlanObject[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        onPointerEnter={PlansDialog.preload}
        onFocus={PlansDialog.preload}
      >
        <Layers aria-hidden />
        Plans
      </Button>
      {isOpen && <PlansDialog plans={plans} close={() => setIsOpen(false)} />}
    </>
  );
}

/** A button that opens the drafts that wait for a second person, with their number. */
export function ApprovalsButton() {
  const [isOpen, setIsOpen] = useState(false);
  const waiting = useRead(...waitingDrafts);
  const count = waiting.data?.data.length ?? 0;
  const { preload } = ApprovalsDialog;
  return (
    <>
      <Button onClick={() => setIsOpen(true)} onPointerEnter={preload} onFocus={preload}>
        <ShieldCheck aria-hidden />
        Approvals
        {count > 0 && (
          <span className="rounded-full bg-warning-soft px-1.5 text-xs text-warning">
            {formatCount(count)}
          </span>
        )}
      </Button>
      {isOpen && <ApprovalsDialog close={() => setIsOpen(false)} />}
    </>
  );
}
