"use client";

import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import { formatCount } from "@/components/ui/values/group-digits";
import type { ProjectSummary } from "@/lib/contract/operations/projects/project-summaries";
import { parseCents } from "@/lib/money/amount";
import { saveSpendLimits } from "./many-projects-actions";
import { describeMany } from "./project-selection";
import { wholeCents } from "./whole-cents";

const limitForm = z.strictObject({
  threshold_amount: z.union([z.literal(""), wholeCents], "must be an amount such as 500.00, or empty"),
});
const labels = { threshold_amount: "Limit for a month, for each" };

type ManyLimitsDialogProps = {
  projects: readonly ProjectSummary[];
  currency: string;
  close: () => void;
  done: () => void;
};

/** Gives several projects the same spend limit. */
export function ManyLimitsDialog({ projects, currency, close, done }: ManyLimitsDialogProps) {
  const form = useNewForm(limitForm, { threshold_amount: "" });
  const replaced = projects.filter(({ limit_amount: limit }) => limit !== null).length;
  const save = useAction(saveSpendLimits, {
    refetch: ["listProjectSummaries", "retrieveProjectSpendLimit"],
    onSuccess: (outcome, { limit }) => {
      toast(describeMany(outcome, limit ? "limited" : "without a spend limit", projects));
      close();
      done();
    },
    onError: ({ problem }) => showProblem(form, ["threshold_amount"], problem),
  });
  const one = projects.length === 1 ? projects[0] : undefined;
  return (
    <FormDialog
      form={form}
      name="many-spend-limits"
      what="the spend limit"
      labels={labels}
      title={one ? `Spend limit of ${one.name}` : `Spend limit of ${formatCount(projects.length)} projects`}
      description="It applies from the next call on and includes this month’s spending so far."
      submit={one ? "Save limit" : `Save ${formatCount(projects.length)} limits`}
      pending={save.isPending}
      close={close}
      onSubmit={({ threshold_amount: typed }) =>
        save.mutate({
          projects: projects.map(({ id, limit_amount }) => ({ id, limit: limit_amount })),
          limit: typed === "" ? null : { currency, interval: "month", threshold_amount: parseCents(typed) },
        })
      }
    >
      <DecimalField
        control={form.control}
        name="threshold_amount"
        label={labels.threshold_amount}
        unit={currency}
        places={2}
        help={
          replaced > 0
            ? `Replaces the limits of ${formatCount(replaced)} of them. Empty removes the limit; with 0 no call passes.`
            : "Such as 500.00. Empty leaves them without a limit; with 0 no call passes."
        }
      />
    </FormDialog>
  );
}
