"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { useCreate } from "@/components/queries/actions/use-create";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { Notice } from "@/components/ui/notice";
import { countNouns } from "@/components/ui/values/group-digits";
import { type LimitPlanObject, limitPlanDraft } from "@/lib/contract/operations/models/rate-limit-plans";
import { changeLimitPlan, createLimitPlan, deleteLimitPlan } from "../actions";
import { limitReads } from "./grid-reads";

type Asked = { kind: "list" } | { kind: "name" | "delete"; plan: LimitPlanObject | null };

type PlansDialogProps = { plans: readonly LimitPlanObject[]; close: () => void };

/** The plans: made, renamed and deleted here. What they set are rows of the grid. */
export function PlansDialog({ plans, close }: PlansDialogProps) {
  const [asked, setAsked] = useState<Asked>({ kind: "list" });
  const toList = () => setAsked({ kind: "list" });
  return (
    <>
      <Dialog
        open={asked.kind === "list"}
        onClose={close}
        title="Plans"
        description="Named sets of limits that projects follow, except for what they set themselves."
        footer={
          <Button variant="primary" onClick={() => setAsked({ kind: "name", plan: null })}>
            <Plus aria-hidden /> New plan
          </Button>
        }
      >
        <PlanList plans={plans} ask={(kind, plan) => setAsked({ kind, plan })} />
      </Dialog>
      {asked.kind === "name" && <NameDialog plan={asked.plan} close={toList} />}
      {asked.kind === "delete" && asked.plan && (
        <DeleteDialog plan={asked.plan} plans={plans} close={toList} />
      )}
    </>
  );
}

type PlanListProps = {
  plans: readonly LimitPlanObject[];
  ask: (kind: "name" | "delete", plan: LimitPlanObject) => void;
};

function PlanList({ plans, ask }: PlanListProps) {
  if (plans.length === 0)
    return (
      <p className="text-muted text-pretty">
        No plans yet. Create one, such as “Trial”, set its limits in its rows of the grid, and let projects
        follow it: they then change together.
      </p>
    );
  return (
    <ul className="grid max-h-[60vh] divide-y overflow-y-auto">
      {plans.map((plan) => (
        <li key={plan.id} className="flex items-center gap-2 py-2.5">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{plan.name}</p>
            <p className="text-sm text-muted">
              {plan.projects === 0
                ? "No project follows it"
                : `${countNouns(plan.projects, "project")} ${plan.projects === 1 ? "follows" : "follow"} it`}
            </p>
          </div>
          <Button size="small" aria-label={`Rename ${plan.name}`} onClick={() => ask("name", plan)}>
            Rename
          </Button>
          <Button size="small" aria-label={`Delete ${plan.name}`} onClick={() => ask("delete", plan)}>
            Delete
          </Button>
        </li>
      ))}
    </ul>
  );
}

function NameDialog({ plan, close }: { plan: LimitPlanObject | null; close: () => void }) {
  const form = useNewForm(limitPlanDraft, { name: plan?.name ?? "" });
  const onError = ({ problem }: { problem: Parameters<typeof showProblem>[2] }) =>
    showProblem(form, ["name"], problem);
  const done = (message: string) => {
    toast({ message });
    close();
  };
  const create = useCreate(createLimitPlan, {
    refetch: limitReads,
    onSuccess: ({ name }) => done(`Plan “${name}” created: its rows are above the projects`),
    onError,
  });
  const rename = useAction(changeLimitPlan, {
    refetch: limitReads,
    onSuccess: ({ name }) => done(`Plan renamed to “${name}”`),
    onError,
  });
  return (
    <FormDialog
      form={form}
      name={plan ? "rename-limit-plan" : "new-limit-plan"}
      what={plan ? `the plan “${plan.name}”` : "the new plan"}
      labels={{ name: "Name" }}
      title={plan ? `Rename the plan “${plan.name}”` : "New plan"}
      description={
        plan ? "Its limits and projects stay." : "It begins without limits, and no project follows it."
      }
      submit={plan ? "Rename plan" : "Create plan"}
      pending={create.isPending || rename.isPending}
      close={close}
      onSubmit={({ name }) =>
        plan ? rename.mutate({ planId: plan.id, name, version: plan.version }) : create.mutate({ name })
      }
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        apiName="name"
        maxLength={100}
        help="What people know it by, such as “Production”."
      />
    </FormDialog>
  );
}

type DeleteDialogProps = { plan: LimitPlanObject; plans: readonly LimitPlanObject[]; close: () => void };

/** Asks what the projects of the plan follow then. */
function DeleteDialog({ plan, plans, close }: DeleteDialogProps) {
  const [moveTo, setMoveTo] = useState("defaults");
  const remove = useAction(deleteLimitPlan, {
    refetch: limitReads,
    onSuccess: () => {
      toast({ message: `Plan “${plan.name}” deleted` });
      close();
    },
  });
  return (
    <Dialog
      open
      onClose={close}
      isBusy={remove.isPending}
      title={`Delete the plan “${plan.name}”?`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="danger"
            pending={remove.isPending}
            onClick={() =>
              remove.mutate({ planId: plan.id, version: plan.version, ...(plan.projects > 0 && { moveTo }) })
            }
          >
            Delete plan
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {remove.error && (
          <Notice tone="bad" role="alert" title="Nothing was deleted">
            {remove.error.problem.message}
          </Notice>
        )}
        {plan.projects === 0 ? (
          <p>No project follows it.</p>
        ) : (
          <div className="grid gap-1.5">
            <span>
              {countNouns(plan.projects, "project")} {plan.projects === 1 ? "follows" : "follow"} it. From
              then on {plan.projects === 1 ? "it follows" : "they follow"}
            </span>
            <ChoiceSelect
              label="What its projects follow from then on"
              value={moveTo}
              options={[
                { value: "defaults", label: "the defaults of each model" },
                ...plans
                  .filter(({ id }) => id !== plan.id)
                  .map(({ id, name }) => ({ value: id, label: `the plan ${name}` })),
              ]}
              choose={setMoveTo}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
