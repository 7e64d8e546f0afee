"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/dialog/cancel-button";
import { Dialog } from "@/components/ui/dialog/dialog";
import type { ModalPosition } from "@/components/ui/dialog/modal";
import { useIsGone } from "@/components/ui/drafts/gone-notice";
import { Form } from "./form";

type FormDialogProps<Values extends FieldValues> = Omit<
  ComponentProps<typeof Form<Values>>,
  "id" | "className" | "isFrozen"
> & {
  title: ReactNode;
  description?: ReactNode;
  close: () => void;
  /** The label of the submit button: "Create key". */
  submit: ReactNode;
  pending: boolean;
  position?: ModalPosition;
  /** True if submitting removes something. */
  danger?: boolean;
};

/**
 * A form in a dialog. Focuses the first field, confirms before closing with unsaved input, and submits only once at a
 * time.
 */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { title, description, close, submit, pending, position, danger = false, children, ...form } = props;
  const id = useId();
  const isGone = useIsGone(form.form, form.isEdit ?? false);
  return (
    <Dialog
      open
      {...(position && { position })}
      onClose={close}
      isBusy={pending}
      title={title}
      description={description}
      footer={
        <>
          <CancelButton />
          {!isGone && (
            <Button type="submit" form={id} variant={danger ? "danger" : "primary"} pending={pending}>
              {submit}
            </Button>
          )}
        </>
      }
    >
      <Form {...form} id={id} isFrozen={pending} className="grid gap-5">
        {children}
      </Form>
    </Dialog>
  );
}
