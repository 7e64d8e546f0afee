"use client";

import { useId, useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SecretInput } from "@/components/ui/fields/secret-input";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { DateTime } from "@/components/ui/time/date-time";
import { formatCount } from "@/components/ui/values/group-digits";
import type {
  AppliedConfiguration,
  ConfigurationPlan,
} from "@/lib/contract/operations/configuration/configuration";
import { applyConfiguration, planConfiguration } from "./actions";
import { FilePane } from "./file-pane";
import { PlanView } from "./plan-view";
import { type Choices, isRemoval, listMade, type ShownPlan, sourceWords } from "./shown-plan";

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

type ApplyBarProps = {
  plan: ConfigurationPlan;
  chosen: Choices;
  /** Null where its source can’t be read again. */
  planAgain: (() => void) | null;
  onApplied: (applied: AppliedConfiguration) => void;
};

/** Says what applying does, asks for the secrets it needs, and applies. */
function ApplyBar({ plan, chosen, planAgain, onApplied }: ApplyBarProps) {
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const applying = useAction(applyConfiguration, { refetch: "all", onSuccess: onApplied });
  const made = listMade(plan, chosen);
  const refused = made.filter(({ refusal }) => refusal !== null);
  const lacking = plan.secrets.filter((name) => !secrets[name]);
  const removals = plan.changes.filter((change) => isRemoval(change) && !chosen.has(change.id)).length;
  const ids = (isOf: (change: (typeof made)[number]) => boolean) => made.filter(isOf).map(({ id }) => id);
  const apply = () =>
    applying.mutate({
      plan_id: plan.id,
      remove: ids(isRemoval),
      back: ids((change) => change.origin === "here" && !isRemoval(change)),
      secrets: Object.fromEntries(plan.secrets.map((name) => [name, secrets[name] ?? ""])),
    });
  // Of an earlier plan it says nothing about this one.
  const problem = applying.variables?.plan_id === plan.id ? applying.error?.problem : undefined;
  return (
    <div className="grid gap-3 border-t bg-surface px-4 py-3 sm:px-6">
      {problem && (
        <Notice
          tone="bad"
          role="alert"
          title={
            problem.code === "stale"
              ? "Something has changed since this plan was made"
              : "Nothing was applied"
          }
          actions={problem.code === "stale" && planAgain && <Button onClick={planAgain}>Plan again</Button>}
        >
          {problem.message}
        </Notice>
      )}
      {plan.secrets.map((name) => (
        <SecretField
          key={name}
          name={name}
          value={secrets[name] ?? ""}
          setValue={(value) => setSecrets({ ...secrets, [name]: value })}
        />
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="min-w-48 flex-1 text-sm text-muted">
          {describeState(plan, { made: made.length, refused: refused.length, lacking, removals })}
          {plan.untried > 0 &&
            ` ${plan.untried} changes weren’t tried out: whether they can be made is known then.`}
        </p>
        <Button
          variant="primary"
          pending={applying.isPending}
          disabled={refused.length > 0 || lacking.length > 0 || (made.length === 0 && plan.source !== "file")}
          onClick={apply}
        >
          {made.length === 0 && plan.source === "file"
            ? "Note as applied"
            : made.length === 1
              ? "Apply 1 change"
              : `Apply ${formatCount(made.length)} changes`}
        </Button>
      </div>
    </div>
  );
}

type State = { made: number; refused: number; lacking: readonly string[]; removals: number };

function describeState({ source }: ConfigurationPlan, { made, refused, lacking, removals }: State): string {
  if (refused > 0) return `What can’t be applied stands in red: ${sourceWords[source].mend}.`;
  if (lacking.length > 0) return `A provider is added with ${lacking.join(" and ")}: paste it above.`;
  const left =
    removals === 1 ? " 1 removal isn’t ticked and stays." : ` ${removals} removals aren’t ticked and stay.`;
  const what =
    made === 0
      ? `Nothing is changed.${source === "file" ? " From now on, what is changed here is told apart from the file." : ""}`
      : "All changes are applied, or none. They can be undone for 30 days.";
  return removals > 0 ? what + left : what;
}

type SecretFieldProps = { name: string; value: string; setValue: (value: string) => void };

function SecretField({ name, value, setValue }: SecretFieldProps) {
  const id = useId();
  return (
    <div className="grid max-w-[560px] gap-1">
      <label htmlFor={id} className="font-mono text-sm">
        {name}
      </label>
      <SecretInput
        id={id}
        what={name}
        autoComplete="off"
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </div>
  );
}
