"use client";

import { ChevronRight, Plus, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import {
  type Control,
  type UseFormReturn,
  useController,
  useFieldArray,
  useFormState,
  useWatch,
} from "react-hook-form";
import { ExchangeRate } from "@/components/models/exchange-rate";
import { useRead } from "@/components/queries/reads/use-read";
import { ApiName } from "@/components/ui/api-name";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { TextField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { IconButton } from "@/components/ui/icon-button";
import {
  findPreset,
  findPresetOfKey,
  type PresetName,
  type ProviderPreset,
  presetNames,
} from "@/lib/contract/calls/provider-presets";
import { MAX_KEYS } from "@/lib/contract/calls/provider-protocols";
import type { LocalServer } from "@/lib/contract/operations/models/provider-tests";
import { choosePreset, type ProviderFormValues } from "../provider-form";
import { ProtocolFields, ProviderSettingsFields, settingsLabels } from "../provider-settings-fields";
import { TestResult } from "./test-result";

const labels = {
  preset: "Service",
  api_key: "Key",
  id: "Id",
  base_url: "Base address",
  kind: "Kind",
  ...settingsLabels,
};

type TestProps = {
  test: () => void;
  isPending: boolean;
  result: ComponentProps<typeof TestResult> | null;
  exchange: Pick<ComponentProps<typeof ExchangeRate>, "currency" | "value" | "change">;
};

type ProviderSetupProps = TestProps & { form: UseFormReturn<ProviderFormValues>; clear: () => void };

/** The service, its key and its test. Choosing a service leads to the key, and pasting a key tests at once. */
export function ProviderSetup({ form, clear, test, isPending, result, exchange }: ProviderSetupProps) {
  const { preset, protocols, found, choose, notePaste } = useSetup({ form, clear, test });
  const spoken = result?.test.spoken_protocols ?? [];
  const isAsFound = spoken.length === 0 || spoken.join() === protocols.join();
  return (
    <Form
      form={form}
      name="new-provider"
      what="the new provider"
      labels={labels}
      onSubmit={test}
      className="grid gap-4"
    >
      <div>
        <h1 className="text-xl font-semibold tracking-tight">Add a provider</h1>
        <p className="text-muted">Choose a service, paste its key, and import its models.</p>
      </div>
      <PresetField control={form.control} name="preset" label={labels.preset} choose={choose} found={found} />
      <ServiceFields control={form.control} known={findPreset(preset || "other")} notePaste={notePaste} />
      <ExchangeRate {...exchange} help="List prices are in USD. Test again after changing it." />
      <Section title="Test">
        {result ? (
          <TestResult {...result} />
        ) : (
          <Button type="submit" variant="primary" pending={isPending}>
            Test and list models
          </Button>
        )}
        {result && !isAsFound && (
          <Button size="small" onClick={() => form.setValue("protocols", [...spoken], { shouldDirty: true })}>
            Set protocols to {spoken.join(", ")}
          </Button>
        )}
      </Section>
      <MoreSettings control={form.control} names={Object.keys(settingsLabels)}>
        <ProtocolFields control={form.control} isNew />
        <ProviderSettingsFields control={form.control} isNew />
      </MoreSettings>
    </Form>
  );
}

type ServiceFieldsProps = {
  control: Control<ProviderFormValues>;
  known: ProviderPreset;
  notePaste: () => void;
};

function ServiceFields({ control, known, notePaste }: ServiceFieldsProps) {
  return (
    <>
      <div onPaste={notePaste}>
        <TextField
          control={control}
          name="api_key"
          label={labels.api_key}
          apiName="api_key"
          type="password"
          autoComplete="new-password"
          mono
          optional
          placeholder={known.keyPrefix && `Begins with ${known.keyPrefix}`}
          help="Stored encrypted and never shown again."
        />
      </div>
      <MoreKeys control={control} />
      <div className="grid items-start gap-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
        <TextField
          control={control}
          name="id"
          label={labels.id}
          apiName="id"
          placeholder="Such as ollama"
          maxLength={40}
          mono
        />
        <TextField
          control={control}
          name="base_url"
          label={labels.base_url}
          apiName="base_url"
          mono
          placeholder={`Such as ${known.addressExample ?? known.baseUrl}`}
          help={
            known.baseUrl === null || known.isLocal
              ? "The address that the gateway calls, ending in /v1."
              : undefined
          }
        />
      </div>
    </>
  );
}

/** Further keys of the same account, each of which can be removed again. */
function MoreKeys({ control }: Pick<ServiceFieldsProps, "control">) {
  const { fields, append, remove } = useFieldArray({ control, name: "more_keys" });
  return (
    <>
      {fields.map(({ id }, index) => (
        <div key={id} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <TextField
              control={control}
              name={`more_keys.${index}.key`}
              label={`Key ${index + 2}`}
              apiName="api_keys"
              type="password"
              autoComplete="new-password"
              mono
              optional
              help={
                index === 0
                  ? "Calls are spread over the keys, and go on with the next where one is at its limit. The test asks with the first."
                  : undefined
              }
            />
          </div>
          <IconButton
            label={`Leave out key ${index + 2}`}
            icon={<X />}
            onClick={() => remove(index)}
            className="mt-7"
          />
        </div>
      ))}
      {fields.length < MAX_KEYS - 1 && (
        <div>
          <Button size="small" variant="ghost" onClick={() => append({ key: "" })}>
            <Plus aria-hidden />
            Add another key
          </Button>
        </div>
      )}
    </>
  );
}

/** Follows what is chosen and pasted. A key that is pasted, and a server that was found, are tested at once. */
function useSetup({ form, clear, test }: Pick<ProviderSetupProps, "form" | "clear" | "test">) {
  const [preset, key, protocols] = useWatch({
    control: form.control,
    name: ["preset", "api_key", "protocols"],
  });
  const found = useRead("retrieveLocalServers").data?.servers ?? [];
  const wasPasted = useRef(false);
  const foundPreset = preset === "" ? findPresetOfKey(key) : null;
  useEffect(() => {
    if (foundPreset) fillIn(form, foundPreset);
  }, [form, foundPreset]);
  useEffect(() => {
    if (!wasPasted.current || key === "" || preset === "") return;
    wasPasted.current = false;
    test();
  }, [key, preset, test]);
  const choose = (name: PresetName) => {
    clear();
    fillIn(form, name);
    const server = found.find((one) => one.preset === name);
    if (!server) return form.setFocus("api_key");
    form.setValue("base_url", server.base_url, { shouldDirty: true });
    test();
  };
  const notePaste = () => {
    wasPasted.current = true;
  };
  return { preset, protocols, found, choose, notePaste };
}

/** Fills in what is known of a service, and keeps what was typed by hand. */
function fillIn(form: UseFormReturn<ProviderFormValues>, name: PresetName): void {
  const filled = choosePreset(form.getValues(), name);
  const names = [
    "preset",
    "id",
    "base_url",
    "protocols",
    "auth",
    "output_limit_field",
    "refused_fields",
  ] as const;
  for (const field of names) form.setValue(field, filled[field], { shouldDirty: true });
  form.clearErrors(names.filter((field) => filled[field] !== ""));
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid justify-items-stretch gap-2">
      <h2 className="font-medium">{title}</h2>
      {children}
    </section>
  );
}

/** The same for a provider that there is. */
export function SavedProvider({ id, test, isPending, result, exchange }: TestProps & { id: string }) {
  return (
    <div className="grid gap-4">
      <div>
        <h1 className="text-xl font-semibold tracking-tight">Import models</h1>
        <p className="text-muted">
          From the provider <code className="font-mono text-sm break-all text-foreground">{id}</code>
        </p>
      </div>
      <ExchangeRate {...exchange} help="List prices are in USD. Test again after changing it." />
      <Section title="Test">
        {result ? (
          <TestResult {...result} />
        ) : (
          <Button variant="primary" pending={isPending} onClick={test}>
            Test and list models
          </Button>
        )}
      </Section>
    </div>
  );
}

type MoreSettingsProps = {
  control: Control<ProviderFormValues>;
  /** The fields within: it opens where one of them has an error. */
  names: readonly string[];
  children: ReactNode;
};

/** Settings that most providers leave as they are filled in. */
function MoreSettings({ control, names, children }: MoreSettingsProps) {
  const { errors } = useFormState({ control });
  const isRefused = names.some((name) => name in errors);
  return (
    <details className="group" open={isRefused || undefined}>
      <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-sm text-muted hover:text-foreground pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-3.5 group-open:rotate-90" />
        More settings
      </summary>
      <div className="mt-4 grid gap-5">{children}</div>
    </details>
  );
}

type PresetFieldProps = {
  control: Control<ProviderFormValues>;
  name: "preset";
  label: string;
  choose: (name: PresetName) => void;
  /** The servers that run on the gateway's machine. */
  found: readonly LocalServer[];
};

/** Buttons instead of radio buttons: a choice moves the focus, so the arrow keys mustn't choose on their way. */
function PresetField({ control, name, label, choose, found }: PresetFieldProps) {
  const { field } = useController({ control, name });
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <ApiName name="preset" />
      </legend>
      <div className="grid grid-cols-2 gap-1 sm:grid-cols-3">
        {presetNames.map((preset, index) => {
          const isChosen = field.value === preset;
          const server = found.find((one) => one.preset === preset);
          return (
            <button
              key={preset}
              ref={index === 0 ? field.ref : undefined}
              type="button"
              aria-pressed={isChosen}
              onClick={() => choose(preset)}
              className={classNames(
                "flex h-8 min-w-0 items-center gap-1.5 rounded-md border bg-surface px-1.75 text-left text-sm hover:bg-default-soft pointer-coarse:h-11",
                server ? "col-span-full" : preset === "other" && "sm:col-span-2",
                isChosen && "border-accent font-medium outline outline-accent",
              )}
            >
              <span className="truncate">{findPreset(preset).title}</span>
              {server && (
                <span className="ml-auto truncate rounded-sm bg-success-soft px-1.5 text-xs font-normal text-success">
                  found on this machine, {server.models === 1 ? "1 model" : `${server.models} models`}
                </span>
              )}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
