"use client";

import "./speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from "react-hook-form";

type Schema<Values extends FieldValues> = Parameters<
  typeof standardSchemaResolver<Values, unknown, Values>
>[0];

/** A form that makes something. What is typed must fit the schema: told when a field is left, and at the submit. */
export function useNewForm<Values extends FieldValues>(
  schema: Schema<Values>,
  defaultValues: DefaultValues<Values>,
): UseFormReturn<Values> {
  return useForm<Values>({ mode: "onTouched", resolver: standardSchemaResolver(schema), defaultValues });
}

/** A form that changes what is saved. It follows what others save meanwhile, but never over what is being typed here, nor over what is said of it. */
export function useEditForm<Values extends FieldValues>(
  schema: Schema<Values>,
  saved: Values,
): UseFormReturn<Values> {
  return useForm<Values>({
    mode: "onTouched",
    resolver: standardSchemaResolver(schema),
    values: saved,
    resetOptions: {
      keepDirtyValues: true,
      keepErrors: true,
      keepTouched: true,
      keepSubmitCount: true,
      keepIsSubmitted: true,
    },
  });
}
