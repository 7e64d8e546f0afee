"use client";

import { useEffect } from "react";
import type { DefaultValues, FieldValues, UseFormReturn } from "react-hook-form";
import { useForm } from "react-hook-form";
import { keptEdits } from "./kept-edits";
import type { LateSchema } from "./late-schema";

/** As `useNewForm`, for a form that its screen shows at once. */
export function useLateNewForm<Values extends FieldValues>(
  { resolver, preload }: LateSchema<Values>,
  defaultValues: DefaultValues<Values>,
): UseFormReturn<Values> {
  useEffect(preload, [preload]);
  return useForm<Values>({ mode: "onTouched", resolver, defaultValues });
}

/** As `useEditForm`, for a form that its screen shows at once. */
export function useLateEditForm<Values extends FieldValues>(
  { resolver, preload }: LateSchema<Values>,
  savedValues: Values,
): UseFormReturn<Values> {
  useEffect(preload, [preload]);
  return useForm<Values>({ mode: "onTouched", resolver, values: savedValues, resetOptions: keptEdits });
}
