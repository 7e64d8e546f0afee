"use client";

import { type Control, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import type { LimitField } from "@/components/rate-limits/limit-fields";
import { limitFields, limitLabels } from "@/components/rate-limits/limit-fields";
import { Button } from "@/components/ui/button";
import { copyValues, takeSavedValues } from "@/components/ui/drafts/form-changes";
import { TextField } from "@/components/ui/fields/text-field";
import { Form, FormFooter } from "@/components/ui/form/form";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { NumberField } from "@/components/ui/number-fields/number-field";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { CodeBlock } from "@/components/ui/text/code-block";
import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import { Quantity } from "@/components/ui/values/quantity";
import { mapLimits, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { saveRateLimit } from "./actions";
import { limitSnippets } from "./limit-row";

const count = z.optional(z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)));

const segment = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(200),
  z.refine((text) => text !== "." && text !== "..", { message: "must be an id" }),
);

/** The two path segments and the limits of `saveRateLimit`. Empty fields aren't sent. */
const typedRateLimit = z
  .object({
    project_id: segment,
    rate_limit_id: segment,
    ...mapLimits(() => count),
  })
  .check(
    z.refine((typed) => rateLimitFields.some((name) => typed[name] !== undefined), {
      message: "Enter at least one of the limits.",
      path: ["max_requests_per_1_minute"],
    }),
  );

type TypedRateLimit = z.output<typeof typedRateLimit>;

const labels = { project_id: "Project id", rate_limit_id: "Rate limit id", ...limitLabels };
const names = ["project_id", "rate_limit_id", ...rateLimitFields] as const;

type TypedRateLimitFormProps = { baseUrl: string; projectId?: string; rateLimitId?: string };

export function TypedRateLimitForm({ baseUrl, projectId = "", rateLimitId = "" }: TypedRateLimitFormProps) {
  const form = useNewForm(typedRateLimit, { project_id: projectId, rate_limit_id: rateLimitId });
  const save = useAction(saveRateLimit, {
    onError: ({ problem }) => showProblem(form, names, problem),
  });

  function send({ project_id, rate_limit_id, ...change }: TypedRateLimit) {
    const sentValues = copyValues(form);
    save.mutate(
      { projectId: project_id, rateLimitId: rate_limit_id, change },
      // Keep the saved values visible, as the new base.
      { onSuccess: () => takeSavedValues(form, sentValues, sentValues) },
    );
  }

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <Form
        form={form}
        name="typed-limits"
        what="the rate limits"
        labels={labels}
        className="grid gap-5 [&_input+span]:min-w-28"
        onSubmit={send}
      >
        <TypedFields control={form.control} />
        <FormFooter status={save.data && <Status tone="good">Saved {save.data.id}</Status>}>
          <Button type="submit" variant="primary" pending={save.isPending}>
            Save rate limit
          </Button>
        </FormFooter>
      </Form>
      <div className="grid content-start gap-10 xl:sticky xl:top-20 xl:self-start">
        {save.data && <RateLimitReply reply={save.data} />}
        <ApiCall control={form.control} baseUrl={baseUrl} />
      </div>
    </div>
  );
}

function TypedFields({ control }: { control: Control<TypedRateLimit> }) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          control={control}
          name="project_id"
          label={labels.project_id}
          help="The first segment of the path."
          mono
        />
        <TextField
          control={control}
          name="rate_limit_id"
          label={labels.rate_limit_id}
          help="The second segment of the path."
          mono
        />
      </div>
      {limitFields.map(({ name, label, unit, meaning }) => (
        <NumberField
          key={name}
          control={control}
          name={name}
          label={label}
          apiName={name}
          unit={unit}
          placeholder="Not sent"
          help={meaning}
          optional
        />
      ))}
    </>
  );
}

function ApiCall({ control, baseUrl }: { control: Control<TypedRateLimit>; baseUrl: string }) {
  const { project_id, rate_limit_id, ...values } = useWatch({ control });
  const snippets = limitSnippets({
    baseUrl,
    projectId: project_id || "PROJECT_ID",
    rateLimitId: rate_limit_id || "RATE_LIMIT_ID",
    values,
  });
  return (
    <Section title="API request">
      <SnippetTabs label="Save by API" snippets={snippets} />
    </Section>
  );
}

/** The gateway's reply to a save: the limits now in effect, and the raw object. */
function RateLimitReply({ reply }: { reply: RateLimit }) {
  return (
    <Section
      title="The gateway’s reply"
      description={
        <>
          Rate limit <code className="font-mono">{reply.id}</code> of model{" "}
          <code className="font-mono">{reply.model}</code>, as it holds now.
        </>
      }
    >
      <DataTable<LimitField>
        caption={`Rate limit ${reply.id}`}
        rows={limitFields}
        rowId={({ name }) => name}
        columns={buildColumns(reply)}
      />
      <CodeBlock code={JSON.stringify(reply, null, 2)} what="reply" />
    </Section>
  );
}

function buildColumns(reply: RateLimit): Column<LimitField>[] {
  return [
    { id: "limit", header: "Limit", cell: ({ label }) => label },
    {
      id: "value",
      header: "Value",
      numeric: true,
      phone: "end",
      cell: ({ name }) => <Quantity value={reply[name]} none="no limit" />,
    },
  ];
}
