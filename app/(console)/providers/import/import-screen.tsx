"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { useCreate } from "@/components/queries/actions/use-create";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { lateSchema, useLateNewForm } from "@/components/ui/form/late-schema";
import { Notice } from "@/components/ui/notice";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { findPreset } from "@/lib/contract/calls/provider-presets";
import type { ModelImport } from "@/lib/contract/operations/models/model-imports";
import type { ModelOffer, ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import { createProvider, importModels, testNewProvider, testSavedProvider } from "../actions";
import { emptyProvider, type ProviderFormValues, toProviderDraft } from "../provider-form";
import {
  beginChoices,
  type Choice,
  type Choices,
  findMissing,
  isPositive,
  type MissingField,
  MOST_IMPORTED,
  toImportedModels,
} from "./import-choices";
import { ModelTable } from "./model-table";
import { ProviderSetup, SavedProvider } from "./provider-setup";

const fields = [
  "kind",
  "preset",
  "api_key",
  "id",
  "base_url",
  "protocols",
  "auth",
  "messages_base_url",
] as const;

const schema = lateSchema<ProviderFormValues>(() =>
  import("../provider-form-schema").then((file) => file.providerForm),
);

type ImportScreenProps = {
  /** The provider whose models are imported; null for one that is added with them. */
  savedId: string | null;
  currency: string;
  projects: readonly { readonly id: string; readonly name: string }[];
};

type ProviderForm = UseFormReturn<ProviderFormValues>;

type TestOptions = {
  form: ProviderForm;
  savedId: string | null;
  take: (found: ProviderTest) => void;
  exchangeRate: string;
};

/** Tests the provider of the form, or the saved one. */
function useProviderTest({ form, savedId, take, exchangeRate }: TestOptions) {
  const testNew = useAction(testNewProvider, { onSuccess: take });
  const testSaved = useAction(testSavedProvider, { onSuccess: take });
  const { isPending, error } = savedId === null ? testNew : testSaved;
  const rate = exchangeRate.trim() ? { exchange_rate: exchangeRate.trim() } : {};
  const test = async () => {
    if (savedId !== null) return testSaved.mutate({ providerId: savedId, ...rate });
    if (!(await form.trigger(["base_url", "api_key", "more_keys", "messages_base_url"]))) return;
    const { id: _, ...provider } = toProviderDraft(form.getValues());
    testNew.mutate({ provider, ...rate });
  };
  return { test: () => void test(), isPending, problem: error?.problem };
}

type SavingOptions = {
  form: ProviderForm;
  savedId: string | null;
  chosen: ReturnType<typeof useImport>;
  allowed: string;
};

const refetch = ["listProviders", "listOrganizationModels", "listRateLimits"] as const;

/** Adds the provider with the ticked models, or them to the saved one. */
function useSaving({ form, savedId, chosen, allowed }: SavingOptions) {
  const router = useRouter();
  const done = (message: string, path: string) => {
    toast({ message });
    form.reset(emptyProvider);
    // The shell shows whether any provider besides the sandbox exists.
    router.refresh();
    router.push(path);
  };
  const add = useCreate(createProvider, {
    refetch: [...refetch],
    onSuccess: ({ id }) => done(`Provider “${id}” added`, paths.providers()),
    onError: ({ problem }) => showProblem(form, fields, problem),
  });
  const save = useCreate(importModels, {
    refetch: [...refetch],
    onSuccess: ({ models }) => done(`${countNouns(models.length, "model")} imported`, paths.models()),
  });
  const send = (provider: Pick<ModelImport, "provider" | "provider_id">) => {
    const projects = allowed === EVERY_PROJECT ? null : allowed === NO_PROJECT ? [] : [allowed];
    const models = toImportedModels(chosen.models, chosen.choices);
    save.mutate({ ...provider, rate: chosen.rate.trim(), models, projects });
  };
  const submit = () => {
    if (savedId !== null) return send({ provider_id: savedId });
    void form.handleSubmit((typed) => {
      const provider = toProviderDraft(typed);
      if (chosen.count === 0) add.mutate(provider);
      else send({ provider });
    })();
  };
  return { save, add, submit };
}

/** Whether the chosen service runs on a machine of one's own. */
function useIsLocal({ control }: ProviderForm): boolean {
  const preset = useWatch({ control, name: "preset" });
  return preset !== "" && findPreset(preset).isLocal === true;
}

/** Choose a provider, paste its key, import its models: everything on one page. */
export function ImportScreen({ savedId, currency, projects }: ImportScreenProps) {
  const form = useLateNewForm(schema, emptyProvider);
  const chosen = useImport();
  const [exchangeRate, setExchangeRate] = useState("");
  const [allowed, setAllowed] = useState(NO_PROJECT);
  const [showsUnusable, setShowsUnusable] = useState(false);
  const tested = useProviderTest({ form, savedId, take: chosen.take, exchangeRate });
  const { save, add, submit } = useSaving({ form, savedId, chosen, allowed });
  const isLocal = useIsLocal(form);
  const problem = save.error?.problem ?? tested.problem;
  const result = chosen.test && {
    test: chosen.test,
    again: tested.test,
    isPending: tested.isPending,
    showsUnusable,
    setShowsUnusable,
  };
  const exchange = { currency, value: exchangeRate, change: setExchangeRate };
  const left = { test: tested.test, isPending: tested.isPending, result, exchange };
  return (
    <div className="grid lg:h-[calc(100dvh-var(--above))] lg:grid-cols-[420px_minmax(0,1fr)]">
      <div className="min-w-0 px-4 py-5 sm:px-6 lg:overflow-y-auto lg:border-r">
        {savedId === null ? (
          <ProviderSetup form={form} clear={chosen.clear} {...left} />
        ) : (
          <SavedProvider id={savedId} {...left} />
        )}
      </div>
      <div className="flex min-h-0 min-w-0 flex-col max-lg:border-t">
        {chosen.test?.models ? (
          <ModelTable
            offer={chosen.test.models}
            currency={currency}
            choices={chosen.choices}
            change={chosen.change}
            changeAll={chosen.changeAll}
            isLocal={isLocal}
            rate={chosen.rate}
            setRate={chosen.setRate}
            showsUnusable={showsUnusable}
          />
        ) : (
          <p className="m-auto max-w-sm px-6 py-16 text-center text-pretty text-muted">
            {tested.isPending
              ? "Asking the provider for its models…"
              : "The provider’s models are listed here, with what they cost, once it is tested."}
          </p>
        )}
        {problem && (
          <div className="px-4 pb-3 sm:px-6">
            <Notice tone="bad" role="alert">
              {problem.message}
            </Notice>
          </div>
        )}
        <ImportBar
          count={chosen.count}
          missing={chosen.missing}
          fault={chosen.count > 0 ? chosen.rateFault : null}
          projects={projects}
          allowed={allowed}
          setAllowed={setAllowed}
          isNew={savedId === null}
          isPending={save.isPending || add.isPending}
          save={submit}
        />
      </div>
    </div>
  );
}

const NO_MODELS: ModelOffer["data"] = [];

/** What is ticked and typed of a provider's models. A test that lists them anew keeps what was chosen. */
function useImport() {
  const [test, setTest] = useState<ProviderTest | null>(null);
  const [choices, setChoices] = useState<Choices>(new Map());
  const [rate, setRate] = useState("1.00");
  const models = test?.models?.data ?? NO_MODELS;

  const take = useCallback((found: ProviderTest) => {
    setTest(found);
    setChoices((before) => {
      const begun = beginChoices(found.models?.data ?? NO_MODELS);
      return new Map([...begun].map(([model, choice]) => [model, before.get(model) ?? choice]));
    });
  }, []);
  const change = useCallback((model: string, changed: Partial<Choice>) => {
    setChoices((before) => {
      const choice = before.get(model);
      return choice ? new Map(before).set(model, { ...choice, ...changed }) : before;
    });
  }, []);
  const changeAll = useCallback((names: readonly string[], changed: Partial<Choice>) => {
    setChoices((before) => {
      const after = new Map(before);
      for (const model of names) {
        const choice = before.get(model);
        if (choice) after.set(model, { ...choice, ...changed });
      }
      return after;
    });
  }, []);
  const clear = useCallback(() => {
    setTest(null);
    setChoices(new Map());
  }, []);

  const ticked = useMemo(() => models.filter(({ model }) => choices.get(model)?.isTicked), [models, choices]);
  const missing = useMemo((): MissingField | null => {
    for (const model of ticked) {
      const choice = choices.get(model.model);
      const found = choice && findMissing(model, choice);
      if (found) return found;
    }
    return null;
  }, [ticked, choices]);
  const rateFault = isPositive(rate) ? null : "The model rate isn’t a number above 0.";
  return {
    test,
    take,
    clear,
    choices,
    change,
    changeAll,
    rate,
    setRate,
    count: ticked.length,
    missing,
    rateFault,
    models,
  };
}

/** The projects that may call the models: none, all of them, or the one with this id. */
const NO_PROJECT = "none";
const EVERY_PROJECT = "every";

type ImportBarProps = {
  count: number;
  missing: MissingField | null;
  /** Why nothing can be imported besides: a fault of the provider or of the rate. */
  fault: string | null;
  projects: readonly { readonly id: string; readonly name: string }[];
  allowed: string;
  setAllowed: (allowed: string) => void;
  isNew: boolean;
  isPending: boolean;
  save: () => void;
};

/** Says what is missing, who may call the models, and how many are imported. */
function ImportBar(props: ImportBarProps) {
  const { count, missing, fault, projects, allowed, setAllowed, isNew, isPending, save } = props;
  const isTooMany = count > MOST_IMPORTED;
  const stops = fault ?? missing?.sentence ?? (isTooMany ? `At most ${MOST_IMPORTED} models at once` : null);
  const models = count === 1 ? "1 model" : `${formatCount(count)} models`;
  const label = count > 0 ? `Import ${models}` : isNew ? "Add provider" : "Import models";
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t bg-surface px-4 py-3 sm:px-6">
      {stops ? (
        <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
      ) : (
        count > 0 && <CircleCheck aria-hidden className="size-4 shrink-0 text-muted" />
      )}
      <p role="status" className="min-w-48 flex-1 text-sm">
        {stops ? (
          <>
            <span className="font-medium">
              {stops}
              {missing && !fault && ":"}
            </span>{" "}
            {missing && !fault && <code className="font-mono text-xs break-all">{missing.model}</code>}
            <span className="block text-xs text-muted">
              {missing && !fault && "Fill it in or untick the model. Without a price it can’t be called."}
            </span>
          </>
        ) : (
          <span className="text-muted">
            {count > 0
              ? "All or none are imported."
              : isNew
                ? "The provider is added without models."
                : "No model is selected."}
          </span>
        )}
      </p>
      {count > 0 && (
        <div className="flex items-center gap-2 text-sm text-muted">
          Allowed in
          <ChoiceSelect
            label="Allowed in"
            value={allowed}
            options={[
              { value: NO_PROJECT, label: "no project yet" },
              { value: EVERY_PROJECT, label: "every project" },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            choose={setAllowed}
            className="h-9 w-auto max-w-48 text-foreground"
          />
        </div>
      )}
      <Button
        variant={count > 0 ? "primary" : "secondary"}
        pending={isPending}
        disabled={stops !== null || (count === 0 && !isNew)}
        onClick={save}
      >
        {label}
      </Button>
    </div>
  );
}
