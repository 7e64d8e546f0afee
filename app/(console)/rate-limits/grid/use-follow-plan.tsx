"use client";

import { useCallback, useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { toast } from "@/components/ui/dialog/toast";
import type { MenuEntry } from "@/components/ui/menu/menu-item";
import { countNouns } from "@/components/ui/values/group-digits";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import { followLimitPlan } from "../actions";
import { limitReads } from "./grid-reads";

/** A project, and the id of the plan that it follows. */
export type Follower = { id: string; name: string; planId: string | null };
type Asked = { plan: LimitPlanObject | null; projects: readonly Follower[] } | null;

/** Entries of a menu that let projects follow a plan, and the question before they do. */
export function useFollowPlan(plans: readonly LimitPlanObject[]) {
  const [asked, setAsked] = useState<Asked>(null);
  const follow = useAction(followLimitPlan, {
    refetch: limitReads,
    onSuccess: (_, { projects, planId }) => {
      const name = plans.find(({ id }) => id === planId)?.name;
      const who = countNouns(projects.length, "project");
      toast({
        message: name ? `${who} follow${projects.length === 1 ? "s" : ""} “${name}”` : `${who} off the plan`,
      });
      setAsked(null);
    },
  });
  const list = useCallback(
    (projects: readonly Follower[]): MenuEntry[] => {
      const isChosen = (planId: string | null) => projects.every((project) => project.planId === planId);
      const entry = (plan: LimitPlanObject | null): MenuEntry => ({
        id: plan?.id ?? "none",
        label: plan?.name ?? "No plan",
        choice: { kind: "one", isChosen: isChosen(plan?.id ?? null) },
        onSelect: () => {
          if (!isChosen(plan?.id ?? null)) setAsked({ plan, projects });
        },
      });
      return [...plans.map(entry), entry(null)];
    },
    [plans],
  );
  const [first, ...others] = asked?.projects ?? [];
  const who = first && (others.length === 0 ? `“${first.name}”` : countNouns(others.length + 1, "project"));
  const dialog = asked && (
    <ConfirmDialog
      open
      danger={false}
      pending={follow.isPending}
      error={follow.error?.problem.message}
      onClose={() => {
        follow.reset();
        setAsked(null);
      }}
      onConfirm={() =>
        follow.mutate({
          planId: asked.plan?.id ?? null,
          projects: asked.projects.map(({ id, planId }) => ({ id, planId })),
        })
      }
      title={asked.plan ? `Let ${who} follow “${asked.plan.name}”?` : `Take ${who} off the plan?`}
      confirmLabel={asked.plan ? "Follow the plan" : "Follow no plan"}
    >
      {asked.plan
        ? "From the next call on, the plan’s limits hold wherever none is set by hand."
        : "From the next call on, the models’ defaults hold wherever no limit is set by hand."}
    </ConfirmDialog>
  );
  return { list, dialog };
}
