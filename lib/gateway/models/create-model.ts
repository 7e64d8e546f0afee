import type { ModelDraft, ModelRoute } from "@/lib/contract/operations/models";
import { type ChangeRequest, change } from "../changes/change";
import { conflict, invalid } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import type { ModelContext } from "./model-context";
import { DEFAULT_MAX_OUTPUT_TOKENS, toCatalogueModel } from "./model-entry";
import type { ProviderDirectory } from "./provider-directory";

/** Adds a model; it answers calls at once. @throws Refusal 409 for an id there is, 400 for a route to no provider. */
export function createModel(
  context: ModelContext,
  request: ChangeRequest,
  draft: ModelDraft,
): Promise<CatalogueModel> {
  const { catalogue, models, directory, defaultRateLimits: defaults, effects } = context;
  return change(context, request, async (transaction) => {
    if (catalogue.find(draft.id)) {
      throw conflict("id", `There is a model "${draft.id}" already; give this one another id.`);
    }
    draft.routes.forEach((route, position) => refuseUnknownProvider(directory, route, position));
    const createdAtMs = effects.clock.nowMs();
    const max_output_tokens = draft.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
    await models.insert(transaction, { ...draft, max_output_tokens, createdAtMs });
    return toCatalogueModel(draft, { source: "database", defaults, createdAtMs });
  });
}

function refuseUnknownProvider(
  directory: ProviderDirectory,
  { provider }: ModelRoute,
  position: number,
): void {
  if (directory.find(provider)) return;
  const known = directory.list().map(({ id }) => id);
  const message = `There is no provider "${provider}"; use one of ${known.join(", ")}, or add it first.`;
  throw invalid(`routes.${position}.provider`, message);
}
