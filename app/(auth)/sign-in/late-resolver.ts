import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import type { FieldValues, Resolver } from "react-hook-form";

type Schema<Values extends FieldValues> = Parameters<
  typeof standardSchemaResolver<Values, unknown, Values>
>[0];

/**
 * Checks a form by a schema that is loaded apart from the page, which is shown sooner without it. Where it can't be
 * loaded, the form is sent unchecked: the server checks it again.
 */
export function lateResolver<Values extends FieldValues>(
  load: () => Promise<Schema<Values>>,
): { readonly resolver: Resolver<Values>; readonly preload: () => void } {
  const loaded = () => load().catch(() => null);
  return {
    resolver: async (values, ...rest) => {
      const schema = await loaded();
      return schema ? standardSchemaResolver(schema)(values, ...rest) : { values, errors: {} };
    },
    preload: () => void loaded(),
  };
}
