"use client";

import "../fields/install-plain-messages";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from "react-hook-form";
import { keptEdits } from "./late-schema";

type Schema<Values extends FieldValues> = Parameters<
  typeof standardSchemaResolver<Values, unknown, Values>
>[0];

/**
 * A form for a new object, in a dialog that is loaded when it is opened. Validates against the schema when a field is
 * left, and on submit.
 */
export function useNewForm<Values extends FieldValues>(
  schema: Schema<Values>,
  defaultValues: DefaultValues<Values>,
): UseFormReturn<Values> {
  return useForm<Values>({ mode: "onTouched", resolver: standardSchemaResolver(schema), defaultValues });
}

/** A form for a saved object. Takes over changes saved by others, but keeps fields edited here and their errors. */
export function useEditForm<Values extends FieldValues>(
  schema: Schema<Values>,
  savedValues: Values,
): UseFormReturn<Values> {
  return useForm<Values>({
    mode: "onTouched",
    resolver: standardSchemaResolver(schema),
    values: savedValues,
    resetOptions: keptEdits,
  });
}
