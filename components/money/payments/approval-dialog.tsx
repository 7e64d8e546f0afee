"use client";

import * as z from "zod/mini";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import type { ReadReply } from "@/lib/console/reads/reads";
import { decimal } from "@/lib/contract/schema";
import { savePaymentApproval } from "./payment-actions";

const approvalForm = z.strictObject({ above: z.union([z.literal(""), decimal]) });
const labels = { above: "Approval above" };

type Approval = ReadReply<"retrievePaymentApproval">;

/** Sets the amount above which payments need a second person's approval. Empty for none. */
export function ApprovalDialog({ approval, close }: { approval: Approval; close: () => void }) {
  const form = useEditForm(approvalForm, toFormValues(approval));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: approval,
    action: savePaymentApproval,
    refetch: ["retrievePaymentApproval", "listPendingPayments"],
    names: ["above"],
    toInput: ({ above: typed = "" }, { version }) => ({ approval: { above: typed || null }, version }),
    toValues: toFormValues,
    onSaved: ({ above, waits }) => {
      if (waits) toast({ message: "The change waits for a second member’s approval" });
      else toast({ message: above === null ? "No payment needs approval" : "Approval of payments saved" });
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name="payment-approval"
      what="the approval of payments"
      isEdit
      labels={labels}
      title="Approval of payments"
      description="A larger payment can’t be spent before a second member approves it. It applies from the next payment on, for programs too. Raising or removing the amount needs a second member itself."
      submit="Save"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <DecimalField
        control={form.control}
        name="above"
        label={labels.above}
        currency={approval.currency}
        unit={approval.currency}
        optional
        help="Leave it empty for no approval. With 0, every payment needs it."
      />
      {conflict && <ConflictDialog {...conflict} labels={labels} nothing="No approval" />}
    </FormDialog>
  );
}

function toFormValues({ above }: Pick<Approval, "above">) {
  return { above: above ?? "" };
}
