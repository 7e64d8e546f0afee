import type { ModelImport } from "@/lib/contract/operations/models/model-imports";
import { type ChangeRequest, change } from "../changes/change";
import { conflict, Refusal } from "../refusal";
import type { CatalogueModel } from "./catalogue";
import { insertModel, type ModelContext } from "./models";
import type { Provider } from "./providers/provider-directory";
import { findProvider, insertProvider } from "./providers/providers";

/**
 * Adds models of one provider, and the provider if it is new: all in one change, or none of it.
 * @throws Refusal 409 for ids that there are, all of them named; 400 for a model without a price, and for one that the
 * provider doesn't serve.
 */
export function importModels(
  context: ModelContext,
  request: ChangeRequest,
  { provider_id: providerId, provider: draft, rate, models, projects = [] }: ModelImport,
): Promise<{ readonly provider: Provider; readonly models: CatalogueModel[] }> {
  const { directory } = context;
  return change(context, request, async (transaction) => {
    refuseTakenIds(context, models);
    const provider = draft
      ? await below("provider", insertProvider(context, transaction, draft))
      : findProvider(directory, providerId ?? "");
    const providers = [...directory.list(), provider];
    const added: CatalogueModel[] = [];
    for (const [position, { model, ...rest }] of models.entries()) {
      const routes = [{ provider: provider.id, model }];
      const entry = { rate, ...rest, routes, projects };
      added.push(await below(`models.${position}`, insertModel(context, transaction, entry, providers)));
    }
    return { provider, models: added };
  });
}

/** Names all at once, so that they are corrected at once. */
function refuseTakenIds({ catalogue }: ModelContext, models: ModelImport["models"]): void {
  const seen = new Set<string>();
  const taken = models.flatMap(({ id }, position) => {
    const isTaken = seen.has(id) || catalogue.find(id) !== undefined;
    seen.add(id);
    return isTaken ? [{ id, position }] : [];
  });
  const [first] = taken;
  if (!first) return;
  const ids = taken.map(({ id }) => `"${id}"`);
  const named =
    ids.length > 10 ? `${ids.slice(0, 10).join(", ")} and ${ids.length - 10} more` : ids.join(", ");
  const are = ids.length === 1 ? "is the id of another model" : "are ids of other models";
  throw conflict(`models.${first.position}.id`, `${named} ${are}; give each its own.`);
}

/** A part of the import, whose refusals name the field below its place. */
async function below<Result>(place: string, part: Promise<Result>): Promise<Result> {
  try {
    return await part;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, type, code, message, details } = error;
    const param = details.param === undefined ? place : `${place}.${details.param}`;
    throw new Refusal(status, type, code, message, { ...details, param });
  }
}
