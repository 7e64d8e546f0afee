"use client";

import { useCallback, useMemo, useState } from "react";
import type { ModelOffer, ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import {
  beginChoices,
  type Choice,
  type Choices,
  findMissing,
  isPositive,
  type MissingField,
} from "./import-choices";

const NO_MODELS: ModelOffer["data"] = [];

/** What is ticked and typed of a provider's models. A test that lists them anew keeps what was chosen. */
export function useImport() {
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
