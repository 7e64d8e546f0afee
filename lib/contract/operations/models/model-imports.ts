import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { positiveDecimal } from "../../schema";
import { modelDraft, organizationModel } from "./models";
import { providerDraft } from "./providers";

/** The most models of one import. */
const MAX_IMPORTED_MODELS = 500;

/** A model of the provider: its name there, its id here, and its price. */
const importedModel = z.extend(z.omit(modelDraft, { rate: true, routes: true, projects: true }), {
  /** Its name at the provider. */
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Its own model rate, instead of that of all. */
  rate: z.optional(positiveDecimal),
});

export const modelImport = z
  .strictObject({
    /** A provider that there is. */
    provider_id: z.optional(z.string().check(z.minLength(1))),
    /** A provider that is added with its models. */
    provider: z.optional(providerDraft),
    /** The model rate of all models that name none. */
    rate: positiveDecimal,
    models: z
      .array(importedModel)
      .check(
        z.minLength(1, "must name at least one model"),
        z.maxLength(MAX_IMPORTED_MODELS, `must name at most ${MAX_IMPORTED_MODELS} models`),
      ),
    /** The projects that may call the models: none by default, since nobody has said so yet. Null: every project. */
    projects: modelDraft.shape.projects,
  })
  .check(
    z.refine(({ provider_id: id, provider }) => (id === undefined) !== (provider === undefined), {
      path: ["provider_id"],
      message: "must be given, or provider: exactly one of the two",
    }),
  );
export type ModelImport = z.output<typeof modelImport>;

const importResult = z.object({
  object: z.literal("organization.model_import"),
  provider_id: z.string(),
  models: z.array(organizationModel),
});

export const modelImportOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    importModels: {
      method: "POST",
      effect: "creates",
      path: "/organization/model_imports",
      permission: "api.models.write",
      summary:
        "Adds models of one provider, all or none, and the provider with them if it is new, which takes api.providers.write, too. Until somebody says so, no project may call them.",
      body: modelImport,
      bodyBounds: { bytes: 1024 * 1024, entries: 40_000 },
      reply: importResult,
    },
  },
);
