import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect } from "react";
import type { Resolver, ResolverError } from "react-hook-form";
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from "react-hook-form";

type Schema<Values extends FieldValues> = Parameters<
  typeof standardSchemaResolver<Values, unknown, Values>
>[0];

/** A schema that is loaded apart from its form's screen, which can be used sooner without it. */
interface LateSchema<Values extends FieldValues> {
  readonly resolver: Resolver<Values>;
  /** Loads it before it is asked, as when the form is shown. */
  readonly preload: () => void;
}

const NOT_LOADED = {
  root: { type: "load", message: "The form’s checks could not be loaded, so nothing was sent. Try again." },
};

/**
 * Checks a form by a schema that its own file loads: `lateSchema(() => import("./role-form").then((file) =>
 * file.roleForm))`. Where it can't be loaded, nothing is sent; `isSentUnchecked` leaves the check to the server.
 */
export function lateSchema<Values extends FieldValues>(
  load: () => Promise<Schema<Values>>,
  { isSentUnchecked = false } = {},
): LateSchema<Values> {
  const loaded = async () => {
    try {
      const [schema] = await Promise.all([load(), import("../fields/install-plain-messages")]);
      return schema;
    } catch (error) {
      reportError(error);
      return null;
    }
  };
  return {
    resolver: async (values, ...rest) => {
      const schema = await loaded();
      if (schema) return standardSchemaResolver(schema)(values, ...rest);
      if (isSentUnchecked) return { values, errors: {} };
      return { values: {}, errors: NOT_LOADED } as ResolverError<Values>;
    },
    preload: () => void loaded(),
  };
}

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
