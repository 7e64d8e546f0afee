"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useAction } from "@/app/queries/use-action";
import { countChanges } from "@/components/form/count-changes";
import { FormErrors } from "@/components/form/form-errors";
import { LeaveGuard } from "@/components/form/leave-guard";
import { SaveBar } from "@/components/form/save-bar";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { SnippetTabs } from "@/components/ui/snippet-tabs";
import {
  type RateLimitChange,
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
  rateLimitValues,
} from "@/lib/contract/operations/rate-limits";
import { saveRateLimit } from "./actions";
import { limitLabels, limitsOf, pickLimits } from "./limit-fields";
import { LimitFieldset } from "./limit-fieldset";
import type { LimitRow } from "./limit-row";
import { limitSnippets } from "./limit-snippets";

// What `resetOptions` keep is right for what comes from elsewhere alone.
const afresh = { keepDirtyValues: false };

type RateLimitFormProps = { projectId: string; row: LimitRow; baseUrl: string; canWrite: boolean };

export function RateLimitForm({ projectId, row, baseUrl, canWrite }: RateLimitFormProps) {
  const form = useForm<RateLimitValues>({
    mode: "onTouched",
    resolver: standardSchemaResolver(rateLimitValues),
    // Follows what others save meanwhile, but never over what is being typed here.
    values: limitsOf(row.limit),
    resetOptions: { keepDirtyValues: true },
  });
  const saving = useSaving(form, { projectId, rateLimitId: row.limit.id });
  const changes = countChanges(form.formState.dirtyFields);

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <form noValidate className="grid gap-8" onSubmit={form.handleSubmit(saving.save)}>
        <FormErrors form={form} labels={limitLabels} />
        {!canWrite && (
          <Notice title="You can see these limits, not change them">
            It takes <code className="font-mono">api.rate_limits.write</code>. Someone with the Owner or Admin
            role can give it to you.
          </Notice>
        )}
        <LimitFieldset form={form} row={row} effective disabled={!canWrite} />
        <LimitFieldset form={form} row={row} effective={false} disabled={!canWrite} />
        {canWrite && (
          <SaveBar
            changes={changes}
            pending={saving.pending}
            onDiscard={() => form.reset(undefined, afresh)}
            saved={saving.outcome && <Saved outcome={saving.outcome} undo={saving.undo} />}
          />
        )}
        <LeaveGuard changes={changes} />
      </form>
      <ApiCall form={form} projectId={projectId} rateLimitId={row.limit.id} baseUrl={baseUrl} />
    </div>
  );
}

/** What the last save did, and how to take it back. */
type Outcome = { word: string; before: RateLimitChange | null };

function useSaving(form: UseFormReturn<RateLimitValues>, target: { projectId: string; rateLimitId: string }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const action = useAction(saveRateLimit, {
    changes: ["listRateLimits"],
    onError: ({ problem }) => showProblem(form, rateLimitFields, problem),
  });

  function send(change: RateLimitChange, done: Outcome) {
    form.clearErrors();
    action.mutate(
      { ...target, change },
      {
        onSuccess: (limit) => {
          form.reset(limitsOf(limit), afresh);
          setOutcome(done);
        },
      },
    );
  }
  return {
    pending: action.isPending,
    outcome,
    save(values: RateLimitValues) {
      const changed = rateLimitFields.filter((name) => form.formState.dirtyFields[name]);
      if (changed.length === 0) return;
      const before = pickLimits(form.formState.defaultValues as RateLimitValues, changed);
      send(pickLimits(values, changed), { word: savedWord(changed), before });
    },
    undo() {
      if (outcome?.before) send(outcome.before, { word: "Undone", before: null });
    },
  };
}

function savedWord(changed: readonly RateLimitField[]): string {
  return changed.length === 1 ? "Saved 1 change" : `Saved ${changed.length} changes`;
}

function Saved({ outcome, undo }: { outcome: Outcome; undo: () => void }) {
  return (
    <>
      {outcome.word}
      {outcome.before && (
        <Button size="small" variant="ghost" onClick={undo} className="text-foreground">
          Undo
        </Button>
      )}
    </>
  );
}

type ApiCallProps = {
  form: UseFormReturn<RateLimitValues>;
  projectId: string;
  rateLimitId: string;
  baseUrl: string;
};

/** The call that does what the form would do now. */
function ApiCall({ form, ...target }: ApiCallProps) {
  const typed = useWatch({ control: form.control });
  const changed = rateLimitFields.filter((name) => form.formState.dirtyFields[name]);
  const names = changed.length > 0 ? changed : rateLimitFields;
  const values = Object.fromEntries(names.map((name) => [name, typed[name]]));
  return (
    <div className="xl:sticky xl:top-20 xl:self-start">
      <Section
        title="The same by API"
        description={
          changed.length > 0 ? "Saves the changes of this form." : "Sets all six limits as they are."
        }
      >
        <SnippetTabs label="Save by API" snippets={limitSnippets({ ...target, values })} />
      </Section>
    </div>
  );
}
