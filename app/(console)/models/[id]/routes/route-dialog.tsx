"use client";

import * as z from "zod/mini";
import { useRead } from "@/components/queries/reads/use-read";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import { NumberField } from "@/components/ui/number-fields/number-field";
import { fromLocalInput, toLocalInput } from "@/components/ui/time/describe-time";
import { decimal } from "@/lib/contract/schema";
import type { RouteValue } from "./route-words";

const optionalPrice = z
  .string()
  .check(z.refine((text) => text === "" || decimal.safeParse(text).success, "must be a number, or empty"));

const schema = z
  .strictObject({
    provider: z.string().check(z.minLength(1, "Choose a provider.")),
    model: z
      .string()
      .check(z.trim(), z.minLength(1, "Name the model as the provider does."), z.maxLength(200)),
    context_window: z.nullable(z.int().check(z.minimum(1), z.maximum(100_000_000))),
    ends_at: z.string(),
    input: optionalPrice,
    output: optionalPrice,
    cached_input: optionalPrice,
  })
  .check(
    z.refine(({ input, output, cached_input }) => input !== "" || (output === "" && cached_input === ""), {
      path: ["input"],
      message: "is required with another price",
    }),
  );
type Values = z.output<typeof schema>;

const labels = {
  provider: "Provider",
  model: "Model at the provider",
  context_window: "Context window",
  ends_at: "Ends",
  input: "Provider’s input price",
  output: "Provider’s output price",
  cached_input: "Provider’s cached input price",
};

type RouteDialogProps = {
  /** The route that is edited; null for a new one. */
  route: RouteValue | null;
  /** Empty for a model that isn't priced by tokens, whose routes have no price. */
  currency: string;
  save: (fields: Omit<RouteValue, "group" | "weight" | "order">) => void;
  close: () => void;
};

/** Adds a route to the draft, or changes one of it. It is saved with the others. */
export function RouteDialog({ route, currency, save, close }: RouteDialogProps) {
  const form = useNewForm<Values>(schema, toValues(route));
  return (
    <FormDialog
      form={form}
      name={route ? `route-${route.provider}-${route.model}` : "new-route"}
      what={route ? "the route" : "the new route"}
      labels={labels}
      title={route ? `Edit ${route.provider} ${route.model}` : "Add a route"}
      description={
        route
          ? "It is saved with the other routes."
          : "It gets a call when every route before it fails. Move it up to share their calls."
      }
      submit={route ? "Change route" : "Add route"}
      pending={false}
      close={close}
      onSubmit={(values) => {
        save(readValues(values, route));
        close();
      }}
    >
      <RouteFields control={form.control} />
      {currency !== "" && <PriceFields control={form.control} currency={currency} />}
    </FormDialog>
  );
}

type Control = ReturnType<typeof useNewForm<Values>>["control"];

function RouteFields({ control }: { control: Control }) {
  const providers = useRead("listProviders").data?.data ?? [];
  return (
    <>
      <SelectField
        control={control}
        name="provider"
        label={labels.provider}
        apiName="provider"
        options={[{ value: "", label: "Choose" }, ...providers.map(({ id }) => ({ value: id, label: id }))]}
      />
      <TextField control={control} name="model" label={labels.model} apiName="model" />
      <NumberField
        control={control}
        name="context_window"
        label={labels.context_window}
        apiName="context_window"
        unit="tokens"
        help="Set it where it differs from the model’s. A prompt that is too long for another route goes to one with a longer window."
      />
      <TextField
        control={control}
        name="ends_at"
        type="datetime-local"
        label={labels.ends_at}
        apiName="ends_at"
        help="For a canary: it gets no calls after this time. Leave empty for no end."
      />
    </>
  );
}

function PriceFields({ control, currency }: { control: Control; currency: string }) {
  const shared = { control, unit: `${currency} / 1M tokens`, optional: true };
  return (
    <>
      <DecimalField
        {...shared}
        name="input"
        label={labels.input}
        apiName="price.input_per_1m"
        placeholder="As the model’s"
        help="What this provider charges you, for the order by price and for costs. Callers pay the model’s price on every route."
      />
      <DecimalField
        {...shared}
        name="output"
        label={labels.output}
        apiName="price.output_per_1m"
        placeholder="None"
      />
      <DecimalField
        {...shared}
        name="cached_input"
        label={labels.cached_input}
        apiName="price.cached_input_per_1m"
        placeholder="Same as input"
      />
    </>
  );
}

function toValues(route: RouteValue | null): Values {
  return {
    provider: route?.provider ?? "",
    model: route?.model ?? "",
    context_window: route?.context_window ?? null,
    ends_at: route?.ends_at ? toLocalInput(route.ends_at) : "",
    input: route?.price?.input_per_1m ?? "",
    output: route?.price?.output_per_1m ?? "",
    cached_input: route?.price?.cached_input_per_1m ?? "",
  };
}

/** Prices that have no field here stay as they are. */
function readValues({ ends_at, input, output, cached_input, ...fields }: Values, route: RouteValue | null) {
  const { output_per_1m: _, cached_input_per_1m: __, ...others } = route?.price ?? {};
  const price = {
    ...others,
    input_per_1m: input,
    ...(output !== "" && { output_per_1m: output }),
    ...(cached_input !== "" && { cached_input_per_1m: cached_input }),
  };
  const endsAt = ends_at === "" ? null : fromLocalInput(ends_at);
  return {
    ...fields,
    ends_at: endsAt,
    price: input === "" ? null : price,
    ended_early: endsAt === route?.ends_at ? route.ended_early : null,
  };
}
