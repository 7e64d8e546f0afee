"use client";

import * as z from "zod/mini";
import { nameSpendScope, type SpendScope } from "@/components/money/spend-reads";
import { wholeCents } from "@/components/money/whole-cents";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import { isGone } from "@/lib/console/gateway/problem";
import { formatCents, parseCents } from "@/lib/money/amount";
import { saveSpendLimit } from "./spend-actions";
import { writeAmounts } from "./spend-alert-form";

const limitForm = z.strictObject({ threshold_amount: wholeCents });
const REMOVED = "Someone removed this limit while you were editing. Save yours to set a limit again.";
const labels = { threshold_amount: "Limit for a month" };

type Limit = { threshold_amount: number | null; version?: string | undefined };
const unlimited: Limit = { threshold_amount: null };

type SpendLimitDialogProps = { scope: SpendScope; limit: Limit | null; close: () => void };

/** Sets or changes the limit on a calendar month's spend. */
export function SpendLimitDialog({ scope, limit, close }: SpendLimitDialogProps) {
  const form = useEditForm(limitForm, toFormValues(limit ?? unlimited));
  const { currency } = scope;
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: limit ?? unlimited,
    action: saveSpendLimit,
    refetch: ["retrieveSpendLimit", "retrieveProjectSpendLimit", "listProjectSummaries"],
    names: ["threshold_amount"],
    none: unlimited,
    toInput: ({ threshold_amount: typed = "0" }, against) => ({
      projectId: scope.project?.id ?? null,
      limit: { currency, interval: "month" as const, threshold_amount: parseCents(typed) },
      // The first limit must not replace one that somebody else has set meanwhile.
      version: against.threshold_amount === null ? null : against.version,
    }),
    toValues: toFormValues,
    onRefused: (problem) => {
      if (isGone(problem)) form.setError("root", { type: "removed", message: REMOVED });
      else showProblem(form, ["threshold_amount"], problem);
    },
    onSaved: () => {
      toast({ message: `Spend limit of ${nameSpendScope(scope)} saved` });
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name="spend-limit"
      what={`the spend limit of ${nameSpendScope(scope)}`}
      isEdit={limit !== null}
      labels={labels}
      title={`Spend limit of ${nameSpendScope(scope)}`}
      description="It applies from the next call on and includes this month’s spending so far."
      submit="Save limit"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <DecimalField
        control={form.control}
        name="threshold_amount"
        label={labels.threshold_amount}
        unit={currency}
        places={2}
        help="Such as 500.00. With 0, no call is allowed."
      />
      {conflict && (
        <ConflictDialog
          {...conflict}
          conflicts={writeAmounts(conflict.conflicts, currency)}
          labels={labels}
          nothing="No limit"
        />
      )}
    </FormDialog>
  );
}

function toFormValues({ threshold_amount: cents }: Limit) {
  return { threshold_amount: cents === null ? "" : formatCents(cents) };
}
