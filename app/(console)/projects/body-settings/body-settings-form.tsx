"use client";

import { useWatch } from "react-hook-form";
import { saveBodySettings } from "@/app/(console)/projects/actions";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextareaField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { NumberField } from "@/components/ui/number-fields/number-field";
import { MAX_KEPT_DAYS } from "@/lib/contract/bounds";
import type { BodyMode, BodySettings } from "@/lib/contract/operations/calls/request-bodies";
import type { Project } from "@/lib/contract/operations/projects/projects";
import type { TypedBodySettings } from "./body-settings-schema";
import { splitLines } from "./split-lines";

const labels = { mode: "Keep", retention_days: "Delete after", redactions: "Patterns to redact" };

const options = [
  { value: "off", label: "Nothing" },
  { value: "metadata", label: "Metadata, no text" },
  { value: "whole", label: "Prompts and answers" },
] as const;

const help: Readonly<Record<BodyMode, string>> = {
  off: "Prompts and answers stored before are deleted when their retention ends.",
  metadata:
    "Parameters, names of tools, roles, counts and sizes. They are shown in each call’s receipt, to everyone who can read it.",
  whole:
    "Encrypted, up to 1 MiB of each. Only members whose role lets them read prompts and answers can, and the audit log says who did.",
};

const schema = lateSchema<TypedBodySettings>(() =>
  import("./body-settings-schema").then((file) => file.bodySettingsForm),
);

type BodySettingsFormProps = { project: Project; settings: BodySettings; canWrite: boolean };

export function BodySettingsForm({ project, settings, canWrite }: BodySettingsFormProps) {
  const form = useLateEditForm(schema, toFormValues(settings));
  const saving = useSaveChanges(form, {
    saved: settings,
    action: saveBodySettings,
    refetch: ["retrieveBodySettings"],
    names: ["mode", "retention_days", "redactions"],
    toInput: (change, against) => {
      const { redactions, ...rest } = { ...toFormValues(against), ...change };
      const whole = { ...rest, redactions: splitLines(redactions) };
      return { projectId: project.id, settings: whole, version: against.version };
    },
    toValues: toFormValues,
  });
  const mode = useWatch({ control: form.control, name: "mode" });
  const field = { control: form.control, disabled: !canWrite };
  return (
    <Form
      form={form}
      name="body-settings"
      what={`what ${project.name} keeps`}
      isEdit
      labels={labels}
      className="grid max-w-[560px] gap-5"
      onSubmit={saving.save}
    >
      {!canWrite && <ReadOnlyNotice what="these settings" permission="api.request_bodies.write" />}
      <SelectField
        {...field}
        name="mode"
        label={labels.mode}
        apiName="mode"
        options={options}
        help={help[mode]}
      />
      <NumberField
        {...field}
        name="retention_days"
        label={labels.retention_days}
        apiName="retention_days"
        unit="days"
        help={`From 1 to ${MAX_KEPT_DAYS}. A shorter period also applies to what is already stored.`}
      />
      <TextareaField
        {...field}
        name="redactions"
        label={labels.redactions}
        apiName="redactions"
        optional
        placeholder={"Such as (?i)[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}"}
        help="One regular expression per line, in RE2 syntax. Matches are replaced by [redacted] before anything is stored. API keys are always masked."
      />
      <SaveFooter
        saving={saving}
        labels={labels}
        nothing="None"
        choices={{ mode: options }}
        canWrite={canWrite}
      />
    </Form>
  );
}

function toFormValues({ mode, retention_days, redactions }: BodySettings) {
  return { mode, retention_days, redactions: redactions.join("\n") };
}
