import { invalid } from "../refusal";
import type { KeyScope } from "./key-store";

/** What a request says of a key's scope: absent fields stay, null lifts the limit. */
export type ScopeChange = { readonly [Field in keyof KeyScope]?: KeyScope[Field] | undefined };

export const unlimited: KeyScope = { models: null, endpoints: null };

/** The scope after a change. @throws Refusal 400 for a model there isn't. */
export function scopeAfter(
  before: KeyScope,
  { models, endpoints }: ScopeChange,
  catalogue: { find(id: string): object | undefined },
): KeyScope {
  for (const [index, id] of (models ?? []).entries()) {
    if (!catalogue.find(id)) throw invalid(`models.${index}`, `There is no model "${id}".`);
  }
  return {
    models: models === undefined ? before.models : models && [...new Set(models)],
    endpoints: endpoints === undefined ? before.endpoints : endpoints && [...new Set(endpoints)],
  };
}
