"use client";

import type { FormEvent, ReactNode } from "react";
import { useEffect, useEffectEvent, useRef } from "react";
import type { FieldValues, SubmitHandler, UseFormReturn } from "react-hook-form";
import { type FieldPath, useFormState } from "react-hook-form";
import { useDialogScope } from "@/components/ui/dialog/dialog";
import { registerUnsaved } from "@/components/ui/dialog/unsaved";
import {
  countFieldChanges,
  describeUnsaved,
  discardChanges,
  type FormWords,
} from "@/components/ui/drafts/form-changes";
import { type CreateForm, GoneNotice, useIsGone } from "@/components/ui/drafts/gone-notice";
import { useFormDraft } from "@/components/ui/drafts/use-form-draft";
import { Notice } from "@/components/ui/notice";
import { ScriptForm } from "@/components/ui/script-form";

type FormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  /** The form's name, unique on its page: "new-key". */
  name: string;
  /**
   * The object being made or changed: "the new key", "the role “Auditor”". Completes "Discard …" and "changes to …".
   */
  what: string;
  /** True if the form changes an existing object, false if it makes a new one. */
  isEdit?: boolean;
  /** Whether to confirm before unsaved input is left. False if a surrounding wizard confirms. */
  isGuarded?: boolean;
  /** Field labels by name, in the order of the form. */
  labels: FormLabels<Values>;
  onSubmit: SubmitHandler<Values>;
  /** True while the form is saved, if it closes then: nothing in it can be changed. */
  isFrozen?: boolean;
  /** Lets a submit button outside the form refer to it. */
  id?: string;
  className?: string;
  /** The page that creates a new object from the typed values, if the edited one is deleted. */
  createForm?: CreateForm;
  children: ReactNode;
};

/**
 * The base of every form in the console. Shows why the last save was refused, confirms before unsaved input is left,
 * and restores it after a reload or a new sign-in.
 */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const {
    form,
    name,
    what,
    isEdit = false,
    isGuarded = true,
    labels,
    onSubmit,
    isFrozen = false,
    createForm,
    children,
    ...rest
  } = props;
  const isGone = useIsGone(form, isEdit);
  useGuardedForm({ form, name, what, isEdit, isGuarded, labels });
  const frozen = useFrozen(isFrozen);
  const submit = useSubmit(form, onSubmit);
  return (
    <ScriptForm
      {...rest}
      ref={frozen}
      aria-busy={isFrozen || undefined}
      onSubmit={isGone ? (event) => event.preventDefault() : submit}
    >
      {isGone ? (
        <GoneNotice form={form} labels={labels} create={createForm} />
      ) : (
        <FormErrors form={form} labels={labels} />
      )}
      {children}
    </ScriptForm>
  );
}

/** Sends the form once: pressed again while it is checked, as before its schema is loaded, it isn't sent twice. */
function useSubmit<Values extends FieldValues>(form: UseFormReturn<Values>, onSubmit: SubmitHandler<Values>) {
  const isChecking = useRef(false);
  return (event: FormEvent) => {
    event.preventDefault();
    if (isChecking.current) return;
    isChecking.current = true;
    const end = () => {
      isChecking.current = false;
    };
    const send: SubmitHandler<Values> = (values, submitted) => {
      end();
      return onSubmit(values, submitted);
    };
    void form.handleSubmit(send, end)(event).finally(end);
  };
}

/**
 * While a form is frozen, its fields keep what was sent: typed later, it would be lost with the dialog that closes when
 * the form is saved. Unlike disabled fields they keep the focus, and can be left and copied from.
 */
function useFrozen(isFrozen: boolean) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { current } = form;
    if (!isFrozen || !current) return;
    const ended = new AbortController();
    const options = { capture: true, signal: ended.signal };
    for (const type of ["beforeinput", "paste", "drop"] as const)
      current.addEventListener(type, refuse, options);
    current.addEventListener("click", (event) => !isLink(event.target) && refuse(event), options);
    current.addEventListener("mousedown", (event) => isSelect(event.target) && refuse(event), options);
    current.addEventListener("keydown", (event) => !isHarmless(event) && refuse(event), options);
    return () => ended.abort();
  }, [isFrozen]);
  return form;
}

function refuse(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

const isLink = (target: EventTarget | null) => target instanceof Element && target.closest("a") !== null;

/** A select opens its list when the mouse is pressed, before it is clicked. */
const isSelect = (target: EventTarget | null) => target instanceof HTMLSelectElement;

const isHarmless = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  key === "Tab" || key === "Escape" || ctrlKey || metaKey;

type GuardedForm<Values extends FieldValues> = FormWords & {
  form: UseFormReturn<Values>;
  name: string;
  isGuarded: boolean;
};

/** Confirms before a form with changes is left, and stores its input as a draft until it is saved or discarded. */
function useGuardedForm<Values extends FieldValues>({
  form,
  name,
  isGuarded,
  ...words
}: GuardedForm<Values>) {
  const dialog = useDialogScope()?.id ?? null;
  const describe = useEffectEvent(() => describeUnsaved(words, countFieldChanges(form)));

  useEffect(() => {
    if (!isGuarded) return;
    return registerUnsaved({
      dialog,
      describe: () => describe(),
      discard: () => discardChanges(form),
      isDrafted: true,
    });
  }, [form, dialog, isGuarded]);

  useFormDraft(form, name);
}

/** Field labels by name, in the order of the form. */
type FormLabels<Values extends FieldValues> = Partial<Record<FieldPath<Values>, string>>;

type FormErrorsProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  labels: FormLabels<Values>;
};

/**
 * Shown after a refused save: the error of the whole form (`form.setError("root", …)`), and a button for each invalid
 * field that focuses it. The first invalid field has the focus already.
 */
function FormErrors<Values extends FieldValues>({ form, labels }: FormErrorsProps<Values>) {
  const { errors, submitCount } = useFormState({ control: form.control });
  const faulty = (Object.keys(labels) as FieldPath<Values>[]).filter(
    (name) => form.getFieldState(name).invalid,
  );
  const refusal = errors.root?.message;
  if (!refusal && (submitCount === 0 || faulty.length === 0)) return null;

  return (
    <Notice tone="bad" role="alert" title={refusal ?? needAttention(faulty.length)}>
      {faulty.length > 0 && (
        <ul className="flex flex-wrap gap-x-3">
          {faulty.map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => form.setFocus(name)}
                className="rounded-sm text-foreground underline underline-offset-2"
              >
                {labels[name]}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function needAttention(count: number): string {
  return count === 1
    ? "One field needs attention. Nothing was saved."
    : `${count} fields need attention. Nothing was saved.`;
}

type FormFooterProps = {
  /** What became of the form, announced to screen readers: "2 unsaved changes", "Saved". */
  status?: ReactNode;
  /** The buttons. */
  children: ReactNode;
};

/** The end of a form that fills a screen. Sticks to the bottom of the window. */
export function FormFooter({ status, children }: FormFooterProps) {
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex min-h-14 flex-wrap items-center justify-end gap-2 border-t bg-background px-1 py-3">
      <span role="status" className="mr-auto">
        {status}
      </span>
      {children}
    </div>
  );
}
