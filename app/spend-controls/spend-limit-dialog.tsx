"use client";

import * as z from "zod/mini";
import { useSaveChanges } from "@/app/queries/actions/use-save-changes";
import { toast } from "@/components/dialog/toast";
import { FormDialog } from "@/components/form/form-dialog";
import { ConflictDialog } from "@/components/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/form/use-schema-form";
import { DecimalField } from "@/components/number-fields/decimal-field";
import { formatCents, parseCents } from "@/lib/money/cents";
import { saveSpendLimit } from "./actions";
import { nameSpendScope, type SpendScope } from "./spend-scope";
import { wholeCents } from "./whole-cents";

const limitForm = z.strictObject({ threshold_amount: wholeCents });
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
    refetch: ["retrieveSpendLimit", "retrieveProjectSpendLimit"],
    names: ["threshold_amount"],
    toInput: ({ threshold_amount: typed = "0" }, { version }) => ({
      projectId: scope.project?.id ?? null,
      limit: { currency, interval: "month" as const, threshold_amount: parseCents(typed) },
      // The first limit must not replace one that somebody else has set meanwhile.
      version: limit === null ? (version ?? null) : version,
    }),
    toValues: toFormValues,
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
        help="Such as 500.00. With 0 no call passes."
      />
      {conflict && <ConflictDialog {...conflict} labels={labels} nothing="No limit" />}
    </FormDialog>
  );
}

function toFormValues({ threshold_amount: cents }: Limit) {
  return { threshold_amount: cents === null ? "" : formatCents(cents) };
}
