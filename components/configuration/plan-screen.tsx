"use client";

import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { DateTime } from "@/components/ui/time/date-time";
import { formatCount } from "@/components/ui/values/group-digits";
import type { AppliedConfiguration } from "@/lib/contract/operations/configuration/configuration";
import { planConfiguration } from "./actions";
import { ApplyBar } from "./apply-bar";
import { FilePane } from "./file-pane";
import type { Choices } from "./plan-choices";
import { PlanView } from "./plan-view";
import { type ShownPlan, sourceWords } from "./shown-plan";

type PlanScreenProps = {
  shown: ShownPlan;
  setShown: (shown: ShownPlan) => void;
  leave: () => void;
  onApplied: (applied: AppliedConfiguration) => void;
};

/** A plan beside its file, and what applies it. */
export function PlanScreen({ shown, setShown, leave, onApplied }: PlanScreenProps) {
  const { plan, request } = shown;
  const [chosen, setChosen] = useState<Choices>(new Set());
  const planning = useAction(planConfiguration, {
    onSuccess: (again) => setShown({ ...shown, plan: again }),
  });
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  // What is ticked from then on is of the new plan, too: a change keeps its id.
  const planAgain =
    request &&
    (() => {
      setChosen(new Set());
      planning.mutate(request);
    });
  const words = sourceWords[plan.source];
  return (
    <div className="grid lg:h-[calc(100dvh-var(--above))] lg:grid-cols-[minmax(0,1fr)_minmax(0,476px)]">
      <div className="flex min-h-0 min-w-0 flex-col">
        <div className="min-h-0 flex-1 px-4 py-4 sm:px-6 lg:overflow-y-auto">
          <PageHead
            title={words.title(plan)}
            sentence={words.sentence}
            action={
              <>
                <Button onClick={leave}>{words.leave}</Button>
                {planAgain && (
                  <Button pending={planning.isPending} onClick={planAgain}>
                    Plan again
                  </Button>
                )}
              </>
            }
          />
          <div className="grid gap-3">
            {planning.error && (
              <Notice tone="bad" role="alert" title="The plan is as it was">
                {planning.error.problem.message}
              </Notice>
            )}
            <PlanSources shown={shown} />
            <PlanView plan={plan} chosen={chosen} choose={choose} />
          </div>
        </div>
        <ApplyBar plan={plan} chosen={chosen} planAgain={planAgain} onApplied={onApplied} />
      </div>
      <FilePane shown={shown} chosen={chosen} />
    </div>
  );
}

/** The sides that a plan compares. */
function PlanSources({ shown: { name, plan } }: { shown: ShownPlan }) {
  const { id, created_at: at, last_applied: last, source, no_counterpart: lost } = plan;
  return (
    <Card flush>
      <dl className="grid auto-cols-fr text-sm sm:grid-flow-col [&>div]:px-3.5 [&>div]:py-2 [&>div+div]:max-sm:border-t sm:[&>div+div]:border-l">
        <div>
          <dt className="text-xs text-muted">{sourceWords[source].label}</dt>
          <dd className="font-mono wrap-anywhere">{name}</dd>
        </div>
        <div>
          <dt className="text-xs text-muted">Plan</dt>
          <dd className="font-mono text-xs wrap-anywhere">{id}</dd>
          <dd className="text-xs text-muted">
            <DateTime at={at} />
          </dd>
        </div>
        {source === "openai" && (
          <div>
            <dt className="text-xs text-muted">No counterpart here</dt>
            <dd>{lost.length === 0 ? "Nothing" : `${formatCount(lost.length)}, listed below`}</dd>
          </div>
        )}
        {source === "file" && (
          <div>
            <dt className="text-xs text-muted">Last applied</dt>
            <dd>{last ? last.name : "Never, so every difference counts as changed in the file"}</dd>
            {last && (
              <dd className="text-xs text-muted">
                <DateTime at={last.at} />
              </dd>
            )}
          </div>
        )}
      </dl>
    </Card>
  );
}
