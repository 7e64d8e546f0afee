"use client";

import { CircleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { useRead } from "@/components/queries/reads/use-read";
import {
  copyLimits,
  hasEffect,
  type LimitField,
  limitFields,
  limitLabels,
  pickLimits,
} from "@/components/rate-limits/limit-fields";
import {
  computeCappedShare,
  isNear,
  LimitUsageByModel,
  limitReads,
} from "@/components/rate-limits/limit-usage";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { TextLink } from "@/components/ui/links/text-link";
import { NumberField } from "@/components/ui/number-fields/number-field";
import { Section } from "@/components/ui/section";
import { capitalize } from "@/components/ui/text/capitalize";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import {
  NEAR_SHARE,
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsage, LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import { saveRateLimit } from "./actions";
import { describeEffect, effectTone, useEffectOfLimit } from "./grid/use-replay";
import { LimitProofPanel, useLimitProof } from "./limit-proof";
import { describeUsage, type LimitRow, limitSnippets } from "./limit-row";
import { useReadEvents } from "./use-read-events";

const schema = lateSchema<RateLimitValues>(() =>
  import("@/lib/contract/operations/models/rate-limits").then((file) => file.rateLimitValues),
);

type RateLimitFormProps = { projectId: string; row: LimitRow; baseUrl: string; canWrite: boolean };

export function RateLimitForm({ projectId, row, baseUrl, canWrite }: RateLimitFormProps) {
  const target = { projectId, rateLimitId: row.limit.id };
  const form = useLateEditForm(schema, copyLimits(row.limit));
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

type LimitInputProps = {
  form: UseFormReturn<RateLimitValues>;
  field: LimitField;
  /** The model's default; undefined if unknown. */
  defaultLimit: number | null | undefined;
  isEffective: boolean;
  disabled: boolean;
  /** The limit's current usage. */
  usage: ReactNode;
  /** Sends calls against the saved limit; absent where there is none to prove. */
  prove?: (() => void) | undefined;
};

/** A field for one limit: the number, its meaning, the model's default and a button to restore that. */
function LimitInput({ form, field, defaultLimit, isEffective, disabled, usage, prove }: LimitInputProps) {
  const value = useWatch({ control: form.control, name: field.name });
  const set = (next: number | null) =>
    form.setValue(field.name, next as number, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: true,
    });
  const canReset = !disabled && defaultLimit !== undefined && !Object.is(value, defaultLimit);
  const canRemove = !disabled && field.removable && value !== null && value !== undefined;

  return (
    // Units have the same width, so that all numbers are aligned.
    <div className="grid gap-1 [&_input+span]:min-w-28">
      <NumberField
        control={form.control}
        name={field.name}
        label={field.label}
        apiName={field.name}
        help={field.meaning}
        unit={field.unit}
        disabled={disabled}
        {...(field.removable ? { emptyValue: null, placeholder: "No limit" } : {})}
      />
      {isEffective && value === 0 && <NothingPasses />}
      {usage}
      <div className="flex min-h-7 flex-wrap items-center gap-x-1 text-sm text-muted">
        {defaultLimit !== undefined && <span className="mr-1">Default: {writeLimit(defaultLimit)}</span>}
        {canReset && (
          <Button
            size="small"
            variant="ghost"
            aria-label={`Reset to default: ${field.label}`}
            onClick={() => set(defaultLimit)}
          >
            Reset to default
          </Button>
        )}
        {canRemove && (
          <Button
            size="small"
            variant="ghost"
            aria-label={`Remove limit: ${field.label}`}
            onClick={() => set(null)}
          >
            Remove limit
          </Button>
        )}
        {prove && (
          <Button size="small" variant="ghost" aria-label={`Prove it: ${field.label}`} onClick={prove}>
            Prove it
          </Button>
        )}
      </div>
    </div>
  );
}

function NothingPasses() {
  return (
    <p role="status" className="flex items-start gap-1.5 text-sm text-warning">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />0 lets nothing through: the gateway
      refuses every call that counts here.
    </p>
  );
}

function writeLimit(limit: number | null): string {
  return limit === null ? "no limit" : formatCount(limit);
}

type LimitUsageInFormProps = { projectId: string; model: string; field: RateLimitField };

/** Shown below a limit's field: its current usage, its peaks and the calls it refused. */
function LimitUsageInForm({ projectId, model, field }: LimitUsageInFormProps) {
  const usage = useLimitUsageEntry(model, field);
  const isUnread = useIsUsageUnread();
  if (!usage)
    return (
      <p className="text-sm text-muted">
        {isUnread ? "How much of it is used can’t be read." : "Not used in the last 7 days."}
      </p>
    );
  const [now, peaks, refusals] = describeUsage(usage);
  return (
    <div className="grid gap-1 text-sm text-muted">
      <LimitMeter usage={usage} />
      <p className="flex flex-wrap gap-x-3">
        <span className="text-foreground">{now}</span>
        <span>{peaks}</span>
      </p>
      <p className="flex flex-wrap gap-x-3">
        <span className={usage.refused_1_day > 0 ? "text-danger" : undefined}>{refusals}</span>
        {usage.refused_7_days > 0 && (
          <TextLink href={paths.requests({ project_id: projectId, model, refused_by: field, range: "7d" })}>
            View refused calls
          </TextLink>
        )}
      </p>
    </div>
  );
}

/** The share of a limit that is used, with a mark at the last day's peak. Decorative: the numbers are next to it. */
function LimitMeter({ usage }: { usage: LimitUsageEntry }) {
  const share = computeCappedShare(usage.max, usage.used);
  const peak = computeCappedShare(usage.max, usage.peak_1_day);
  if (share === null || peak === null) return null;
  return (
    <span aria-hidden className="relative my-1 block h-1 w-full overflow-hidden rounded-full bg-default">
      <span
        className={classNames(
          "absolute inset-y-0 left-0 rounded-full forced-color-adjust-none",
          share >= 1 ? "bg-danger" : share >= NEAR_SHARE ? "bg-warning" : "bg-accent",
        )}
        style={{ width: `${share * 100}%` }}
      />
      <span
        className={classNames(
          "absolute inset-y-0 w-0.5 forced-color-adjust-none",
          isNear(usage) ? "bg-warning" : "bg-muted",
        )}
        style={{ left: `calc(${peak * 100}% - 2px)` }}
      />
    </span>
  );
}

type LimitEffectInFormProps = LimitUsageInFormProps & {
  form: UseFormReturn<RateLimitValues>;
  saved: number | null;
};

/** What the typed limit would have done to the last days' calls, before it is saved. */
function LimitEffectInForm({ projectId, model, field, form, saved }: LimitEffectInFormProps) {
  const typed: number | null | undefined = useWatch({ control: form.control, name: field });
  const isChanged = typed !== undefined && !Object.is(typed, saved) && isLimit(typed);
  const change = isChanged ? ({ project_id: projectId, model, [field]: typed } as const) : null;
  const effect = useEffectOfLimit(change);
  if (!effect) return null;
  return (
    <p role="status" aria-label="Effect of this limit" className={`text-sm ${effectTone(effect)}`}>
      {capitalize(describeEffect(effect))}.
    </p>
  );
}

const isLimit = (typed: number | null) => typed === null || (Number.isSafeInteger(typed) && typed >= 0);

const UsageContext = createContext(new LimitUsageByModel());
const Failure = createContext(false);

/** Follows the usage of a project's limits. All children share one stream. */
function LimitUsageScope({ projectId, children }: { projectId: string; children: ReactNode }) {
  const read = useRead(...limitReads(projectId).usage);
  const [usageByModel] = useState(() => new LimitUsageByModel(read.data?.data));
  const late = read.data?.data;
  useEffect(() => usageByModel.update(late ?? []), [usageByModel, late]);
  useReadEvents<{ data: LimitUsage[] }>("listLimitUsage", { project_id: projectId }, ({ data }) =>
    usageByModel.update(data),
  );
  return (
    <Failure value={read.isError && read.data === undefined}>
      <UsageContext value={usageByModel}>{children}</UsageContext>
    </Failure>
  );
}

/** Returns true if the usage of the limits couldn't be read, so that no entry doesn't mean no usage. */
function useIsUsageUnread(): boolean {
  return useContext(Failure);
}

/** Returns the live usage of one limit; undefined if it hasn't been used. */
function useLimitUsageEntry(model: string, field: RateLimitField): LimitUsageEntry | undefined {
  const usageByModel = useContext(UsageContext);
  const usage = () => usageByModel.find(model, field);
  return useSyncExternalStore(usageByModel.subscribe, usage, usage);
}
