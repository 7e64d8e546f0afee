import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { numberGroups, USUAL_WEIGHT } from "@/lib/contract/calls/route-groups";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import type { ConfigurationFile } from "../../configuration/configuration";
import type { CatalogueModel } from "../../models/catalogue";
import { toPrice, toUnitPrice, writePrice, writeUnitPrice } from "../../models/model-entry";
import { invalid } from "../../refusal";
import {
  after,
  type Fields,
  findNamedProject,
  type ObjectChange,
  refuseFixed,
  type Section,
  type SettingsView,
} from "../section";

type FileModel = NonNullable<ConfigurationFile["models"]>[number];

/** Set when a model is added. */
const fixed = ["family", "max_output_tokens", "context_window", "input_modalities"];
const atStart = ["description", "rate_limits"];

/** Models with their prices. Those that are built in aren't written, since every gateway has them. */
export const models: Section = {
  part: "models",
  inside: null,
  reads: ["api.models.read"],
  isImplicit: false,
  write(view, file) {
    file.models = view.catalogue
      .list()
      .filter(({ source }) => source !== "built_in")
      .map((model) => writeModel(view, model) as unknown as FileModel);
  },
  declare: ({ models: declared = [] }, view) =>
    declared.map((model) => ({ path: ["models", model.id], fields: declareModel(view, model) })),
  covers: (file) => () => file.models !== undefined,
  *calls(view, change) {
    const id = change.path[1] ?? "";
    if (change.kind === "remove") {
      const mend = "deny it in the projects, or close it to all by projects: []";
      throw invalid("models", `A model isn't removed, since past calls name it: ${mend}.`);
    }
    refuseFixed(change, atStart, "set it in the file that the gateway starts with");
    const fields = withProjectIds(view, change);
    if (change.kind === "create") {
      yield { id: "createOrganizationModel", body: { id, ...fields } };
      return;
    }
    refuseFixed(change, fixed, "add a model with another id");
    const { routes, ...others } = fields;
    const params = { model_id: id };
    if (routes !== undefined) yield { id: "saveModelRoutes", params, body: { routes } };
    if (Object.keys(others).length > 0) yield { id: "changeOrganizationModel", params, body: others };
  },
};

function withProjectIds(view: SettingsView, change: ObjectChange): Fields {
  const { projects, ...fields } = after(change);
  if (projects === undefined) return fields;
  const names = projects as readonly string[] | null;
  return { ...fields, projects: names && names.map((name) => findNamedProject(view, name).id) };
}

function writeModel({ defaultRateLimits, projectCache }: SettingsView, model: CatalogueModel): Fields {
  const { price, unitPrice, audioPrice, batchRate, description } = model;
  const own = rateLimitFields.filter((field) => model.defaultRateLimits[field] !== defaultRateLimits[field]);
  const limits = Object.fromEntries(own.map((field) => [field, model.defaultRateLimits[field]]));
  return {
    id: model.id,
    family: model.family,
    ...(description !== null && { description }),
    rate: formatAmount(model.rate),
    ...(batchRate !== null && { batch_rate: formatAmount(batchRate) }),
    ...(price && { price: writePrice(price) }),
    ...(unitPrice && { unit_price: writeUnitPrice(unitPrice) }),
    ...(audioPrice && { audio_price: writePrice(audioPrice) }),
    ...(model.maxOutputTokens !== null && { max_output_tokens: model.maxOutputTokens }),
    ...(model.contextWindow !== null && { context_window: model.contextWindow }),
    ...(model.inputModalities && { input_modalities: [...model.inputModalities] }),
    ...(own.length > 0 && { rate_limits: limits }),
    routes: withoutDefaults(model.routes),
    ...(model.projects && {
      projects: [...model.projects].map((id) => projectCache.find(id)?.name ?? id).toSorted(),
    }),
  };
}

/** Groups and weights that say nothing are left out, so that equal routes compare as equal. */
function withoutDefaults(routes: readonly ModelRoute[]): ModelRoute[] {
  const groups = numberGroups(routes);
  const isInOrder = groups.every((group, index) => group === index + 1);
  return routes.map(({ provider, model, weight, order, context_window, ends_at, price }, index) => ({
    provider,
    model,
    ...(context_window !== undefined && { context_window }),
    ...(ends_at !== undefined && { ends_at }),
    ...(!isInOrder && { group: groups[index] }),
    ...(weight !== undefined && weight !== USUAL_WEIGHT && { weight }),
    ...(order !== undefined && order !== "weight" && { order }),
    ...(price && { price: writePrice(toPrice(price)) }),
  }));
}

/** Prices in the form of what is stored, and projects by their names. */
function declareModel({ projectCache }: SettingsView, model: FileModel): Fields {
  const { id: _, rate, batch_rate, price, unit_price, audio_price, projects, routes, ...rest } = model;
  const decimal = (text: string) => formatAmount(parseCheckedAmount(text));
  const fields = {
    ...rest,
    routes: withoutDefaults(routes),
    rate: decimal(rate),
    batch_rate: batch_rate && decimal(batch_rate),
    price: price && writePrice(toPrice(price)),
    unit_price: unit_price && writeUnitPrice(toUnitPrice(unit_price)),
    audio_price: audio_price && writePrice(toPrice(audio_price)),
    projects: projects && projects.map((name) => projectCache.find(name)?.name ?? name).toSorted(),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
