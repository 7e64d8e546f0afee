"use client";

import type { UseFormReturn } from "react-hook-form";
import { useWatch } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import {
  copyLimits,
  hasEffect,
  limitFields,
  limitLabels,
  pickLimits,
} from "@/components/rate-limits/limit-fields";
import { Form } from "@/components/ui/form/form";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { Section } from "@/components/ui/section";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import { rateLimitValues } from "@/lib/contract/operations/models/rate-limits";
import { saveRateLimit } from "./actions";
import { LimitInput } from "./limit-input";
import { LimitProofPanel, useLimitProof } from "./limit-proof";
import type { LimitRow } from "./limit-row";
import { limitSnippets } from "./limit-snippets";
import { LimitEffectInForm, LimitUsageInForm } from "./limit-usage-in-form";
import { LimitUsageScope } from "./limit-usage-scope";

type RateLimitFormProps = { projectId: string; row: LimitRow; baseUrl: string; canWrite: boolean };

export function RateLimitForm({ projectId, row, baseUrl, canWrite }: RateLimitFormProps) {
  const target = { projectId, rateLimitId: row.limit.id };
  const form = useEditForm(rateLimitValues, copyLimits(row.limit));
  const { changed, ...saving } = useSaveChanges(form, {
    saved: row.limit,
    action: saveRateLimit,
    refetch: ["listRateLimits", "retrieveRateLimit"],
    names: rateLimitFields,
    toInput: (change, { version }) => ({ ...target, change, version }),
    toValues: copyLimits,
  });
  const typed = useWatch({ control: form.control }) as RateLimitValues;
  const proof = useLimitProof(target);
  const canProve = (field: RateLimitField) =>
    canWrite && !proof.isRunning && row.limit[field] !== null && !changed.includes(field);
  const shown = pickLimits(typed, changed.length > 0 ? changed : rateLimitFields);

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <Form
        form={form}
        name="limits"
        what={`the rate limits of ${row.limit.model}`}
        isEdit
        labels={limitLabels}
        className="grid gap-8"
        onSubmit={saving.save}
      >
        {!canWrite && <ReadOnlyNotice what="these limits" permission="api.rate_limits.write" />}
        <LimitUsageScope projectId={projectId}>
          <LimitFieldset
            form={form}
            row={row}
            projectId={projectId}
            isEffective
            disabled={!canWrite}
            prove={(field) => (canProve(field) ? () => proof.prove(field) : undefined)}
          />
        </LimitUsageScope>
        <LimitFieldset form={form} row={row} projectId={projectId} isEffective={false} disabled={!canWrite} />
        <SaveFooter saving={saving} labels={limitLabels} nothing="No limit" canWrite={canWrite} />
      </Form>
      {canWrite && (
        <div className="grid content-start gap-10 xl:sticky xl:top-20 xl:self-start">
          <LimitProofPanel proof={proof} />
          <Section
            title="API request"
            description={
              changed.length > 0 ? "Saves the changes of this form." : "Sets every limit to the value shown."
            }
          >
            <SnippetTabs
              label="Save by API"
              snippets={limitSnippets({ ...target, baseUrl, values: shown })}
            />
          </Section>
        </div>
      )}
    </div>
  );
}

type LimitFieldsetProps = {
  form: UseFormReturn<RateLimitValues>;
  row: LimitRow;
  projectId: string;
  /** True for the limits that apply to the model's family, false for the others. */
  isEffective: boolean;
  disabled: boolean;
  /** How a saved limit is proved; undefined where it can't be now. */
  prove?: (field: RateLimitField) => (() => void) | undefined;
};

function LimitFieldset({ form, row, projectId, isEffective, disabled, prove }: LimitFieldsetProps) {
  const { family, defaults } = row;
  const fields = limitFields.filter((field) => hasEffect(field, family) === isEffective);
  if (fields.length === 0) return null;
  return (
    <fieldset className="grid gap-5">
      <legend className={isEffective ? "sr-only" : "mb-4 w-full border-t pt-5"}>
        {isEffective ? (
          "Limits in effect"
        ) : (
          <>
            <span className="block text-lg font-semibold">No effect for {family} models</span>
            <span className="block text-sm text-muted">
              This isn’t counted for this model, so the limit has no effect. It is saved anyway.
            </span>
          </>
        )}
      </legend>
      {fields.map((field) => (
        <LimitInput
          key={field.name}
          form={form}
          field={field}
          defaultLimit={defaults?.[field.name]}
          isEffective={isEffective}
          disabled={disabled}
          prove={prove?.(field.name)}
          usage={
            isEffective && (
              <>
                <LimitUsageInForm projectId={projectId} model={row.limit.model} field={field.name} />
                <LimitEffectInForm
                  projectId={projectId}
                  model={row.limit.model}
                  field={field.name}
                  form={form}
                  saved={row.limit[field.name]}
                />
              </>
            )
          }
        />
      ))}
    </fieldset>
  );
}
