"use client";

import * as z from "zod/mini";
import { useRead } from "@/components/queries/reads/use-read";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { NumberField } from "@/components/ui/number-fields/number-field";
import type { RouteValue } from "./edit-routes";

const schema = z.strictObject({
  provider: z.string().check(z.minLength(1, "Choose a provider.")),
  model: z.string().check(z.trim(), z.minLength(1, "Name the model as the provider does."), z.maxLength(200)),
  context_window: z.nullable(z.int().check(z.minimum(1), z.maximum(100_000_000))),
  ends_at: z.string(),
});
type Values = z.output<typeof schema>;
const labels = {
  provider: "Provider",
  model: "Model at the provider",
  context_window: "Context window",
  ends_at: "Ends",
};

type AddRouteProps = { lastGroup: number; add: (route: RouteValue) => void; close: () => void };

/** Adds a route to the draft, in a group of its own after the others. It is saved with them. */
export function AddRoute({ lastGroup, add, close }: AddRouteProps) {
  const providers = useRead("listProviders").data?.data ?? [];
  const form = useNewForm<Values>(schema, { provider: "", model: "", context_window: null, ends_at: "" });
  return (
    <FormDialog
      form={form}
      name="new-route"
      what="the new route"
      labels={labels}
      title="Add a route"
      description="It is asked when every route before it fails. Move it up to let it share their calls."
      submit="Add route"
      pending={false}
      close={close}
      onSubmit={({ ends_at, ...route }) => {
        const ends = ends_at === "" ? null : Math.floor(Date.parse(ends_at) / 1_000);
        add({ ...route, group: lastGroup + 1, weight: 100, order: "weight", ends_at: ends });
        close();
      }}
    >
      <SelectField
        control={form.control}
        name="provider"
        label={labels.provider}
        apiName="provider"
        options={[{ value: "", label: "Choose" }, ...providers.map(({ id }) => ({ value: id, label: id }))]}
      />
      <TextField control={form.control} name="model" label={labels.model} apiName="model" />
      <NumberField
        control={form.control}
        name="context_window"
        label={labels.context_window}
        apiName="context_window"
        unit="tokens"
        help="Set it where it differs from the model’s. A prompt that is too long for another route goes to one with a longer window."
      />
      <TextField
        control={form.control}
        name="ends_at"
        type="datetime-local"
        label={labels.ends_at}
        apiName="ends_at"
        help="For a canary: from then on it gets no calls. Leave it empty for no end."
      />
    </FormDialog>
  );
}
