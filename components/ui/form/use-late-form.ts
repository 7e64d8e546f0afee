"use client";

import { useEffect } from "react";
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from "react-hook-form";
import type { LateSchema } from "./late-schema";

/** When others save an object that is being edited: their values are taken over, except in fields edited here. */
export const keptEdits = {
  keepDirtyValues: true,
  keepErrors: true,
  keepTouched: true,
  keepSubmitCount: true,
  keepIsSubmitted: true,
} as const;

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
