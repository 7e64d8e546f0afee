import { invalid } from "../refusal";
import type { KeyScope } from "./key-store";

/** The scope in a request: absent fields stay as they are, null removes the limit. */
export type ScopeChange = { readonly [Field in keyof KeyScope]?: KeyScope[Field] | undefined };

export const unlimited: KeyScope = { models: null, endpoints: null };

/** The scope that results from a change. @throws Refusal 400 for an unknown model. */
export function changeScope(
  scopeBefore: KeyScope,
  { models, endpoints }: ScopeChange,
  catalogue: { find(id: string): object | undefined },
): KeyScope {
  for (const [index, id] of (models ?? []).entries()) {
    if (!catalogue.find(id)) throw invalid(`models.${index}`, `There is no model "${id}".`);
  }
  return {
    models: models === undefined ? scopeBefore.models : models && [...new Set(models)],
    endpoints: endpoints === undefined ? scopeBefore.endpoints : endpoints && [...new Set(endpoints)],
  };
}
