"use client";

import { useId, useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { SecretInput } from "@/components/ui/fields/secret-input";
import { Notice } from "@/components/ui/notice";
import { formatCount } from "@/components/ui/values/group-digits";
import type {
  AppliedConfiguration,
  ConfigurationPlan,
} from "@/lib/contract/operations/configuration/configuration";
import { applyConfiguration } from "./actions";
import { type Choices, isRemoval, listMade } from "./plan-choices";
import { sourceWords } from "./shown-plan";

type ApplyBarProps = {
  plan: ConfigurationPlan;
  chosen: Choices;
  /** Null where its source can’t be read again. */
  planAgain: (() => void) | null;
  onApplied: (applied: AppliedConfiguration) => void;
};

/** Says what applying does, asks for the secrets it needs, and applies. */
export function ApplyBar({ plan, chosen, planAgain, onApplied }: ApplyBarProps) {
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
            problem.code === "stale" ? "Something has moved since this plan was made" : "Nothing was applied"
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
      : "All of it is applied, or nothing. It can be undone for 30 days.";
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
