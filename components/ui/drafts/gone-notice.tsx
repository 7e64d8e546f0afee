"use client";

import { useRouter } from "next/navigation";
import { type FieldValues, type UseFormReturn, useFormState, useWatch } from "react-hook-form";
import { describeTyped } from "@/components/ui/fields/describe-typed";
import { withoutSecrets } from "@/components/ui/fields/secret-fields";
import { Button } from "../button";
import { Notice } from "../notice";
import { CopyButton } from "../text/copy-button";
import { useDraftLocation } from "./draft-scope";
import { saveDraft } from "./drafts";
import { discardChanges } from "./form-changes";
import { useObjectGone } from "./object-gone";

/** The form that creates an object of the same kind, with fields of the same names. */
export type CreateForm = { path: string; name: string; label: string };

type GoneNoticeProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  labels: Readonly<Record<string, string | undefined>>;
  create?: CreateForm | undefined;
};

/**
 * Whether the object of an edit form was deleted by somebody: the page has noticed, or a save was refused because of
 * it.
 */
export function useIsGone<Values extends FieldValues>(form: UseFormReturn<Values>, isEdit: boolean): boolean {
  const { isGone: isObjectGone } = useObjectGone();
  const { errors } = useFormState({ control: form.control });
  return isEdit && (isObjectGone || errors.root?.type === "not_found");
}

/** Returns a function that discards what was typed. The page of an object that was deleted meanwhile then says so. */
export function useDiscard<Values extends FieldValues>(form: UseFormReturn<Values>): () => void {
  const { release } = useObjectGone();
  return () => {
    discardChanges(form);
    release();
  };
}

/** Says that the object of a form was deleted, and offers to take what was typed elsewhere. */
export function GoneNotice<Values extends FieldValues>({ form, labels, create }: GoneNoticeProps<Values>) {
  const router = useRouter();
  const location = useDraftLocation(create?.name ?? "");
  const values = withoutSecrets(form.control, useWatch({ control: form.control }));

  function createFrom({ path, name }: CreateForm) {
    // The other form restores it as its own draft.
    if (location) saveDraft({ ...location, path, name }, { values, base: null });
    discardChanges(form);
    router.push(path);
  }
  return (
    <Notice
      tone="bad"
      role="alert"
      title="Someone deleted this while you were editing"
      actions={
        <>
          {create && location && <Button onClick={() => createFrom(create)}>{create.label}</Button>}
          <CopyButton hasLabel text={describeTyped(values, labels)} what="what you typed" />
        </>
      }
    >
      Your changes can’t be saved. What you typed stays here until you leave.
    </Notice>
  );
}
