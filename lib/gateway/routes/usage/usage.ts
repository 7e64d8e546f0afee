import type { ModelFamily } from "@/lib/contract/model-families";
import type { CompletionsUsageQuery, MediaUsageQuery } from "@/lib/contract/operations/usage";
import type { Effects } from "../../effects";
import type { Catalogue } from "../../models/catalogue";
import { bucketMs, cutIntoBuckets, usageBuckets } from "../../usage/cut-into-buckets";
import type { CallSelection, CallSum, GroupField, UsageReader } from "../../usage/usage-reader";
import type { Handlers } from "../handler";
import { pageOfBuckets } from "./page-of-buckets";

type Ids =
  | "listCompletionsUsage"
  | "listOwnUsage"
  | "listImagesUsage"
  | "listAudioSpeechesUsage"
  | "listAudioTranscriptionsUsage";

interface Context {
  readonly usage: UsageReader;
  readonly catalogue: Catalogue;
  readonly effects: Effects;
}

export function usageRoutes(context: Context): Handlers<Ids> {
  const idsOf = (isOf: (family: ModelFamily) => boolean) =>
    context.catalogue.list().flatMap(({ id, family }) => (isOf(family) ? [id] : []));
  const ofFamily = (family: ModelFamily, { models }: MediaUsageQuery) =>
    idsOf((own) => own === family).filter((id) => models?.includes(id) ?? true);
  const completions = (query: CompletionsUsageQuery) => {
    const { batch, group_by = [] } = query;
    // All calls have the same tier and source and none is from a batch, so grouping by these fields splits nothing.
    const groupBy = group_by.filter(
      (field) => field !== "batch" && field !== "service_tier" && field !== "api_source",
    );
    // A model that is no longer in the catalogue was a chat model. No call comes from a batch.
    const models = batch ? [] : query.models;
    const exceptModels = idsOf((family) => family !== "chat");
    return list(context, query, { groupBy, models, exceptModels }, (sum) => ({
      object: "organization.usage.completions.result" as const,
      input_tokens: sum.inputUnits,
      output_tokens: sum.outputUnits,
      num_model_requests: sum.requests,
      ...groupOf(sum),
      batch: group_by.includes("batch") ? false : null,
      service_tier: null,
      api_source: null,
    }));
  };
  return {
    listCompletionsUsage: ({ query }) => completions(query),
    listOwnUsage: ({ query, caller: { holder, keyId } }) => {
      const own = holder.kind === "user" ? { user_ids: [holder.id] } : { api_key_ids: [keyId] };
      return completions({ ...query, ...own });
    },
    listImagesUsage: ({ query }) =>
      list(context, query, { groupBy: query.group_by, models: ofFamily("image", query) }, (sum) => ({
        object: "organization.usage.images.result" as const,
        images: sum.outputUnits,
        num_model_requests: sum.requests,
        ...groupOf(sum),
        size: null,
        source: null,
      })),
    listAudioSpeechesUsage: ({ query }) =>
      list(context, query, { groupBy: query.group_by, models: ofFamily("speech", query) }, (sum) => ({
        object: "organization.usage.audio_speeches.result" as const,
        characters: sum.inputUnits,
        num_model_requests: sum.requests,
        ...groupOf(sum),
      })),
    listAudioTranscriptionsUsage: ({ query }) =>
      list(context, query, { groupBy: query.group_by, models: ofFamily("transcription", query) }, (sum) => ({
        object: "organization.usage.audio_transcriptions.result" as const,
        seconds: sum.inputUnits,
        num_model_requests: sum.requests,
        ...groupOf(sum),
      })),
  };
}

interface Asked {
  readonly groupBy: readonly GroupField[] | undefined;
  readonly models: CallSelection["models"];
  readonly exceptModels?: CallSelection["exceptModels"];
}

async function list<Result>(
  { usage, effects }: Context,
  query: Omit<MediaUsageQuery, "group_by">,
  { groupBy = [], ...models }: Asked,
  toResult: (sum: CallSum) => Result,
) {
  const width = query.bucket_width ?? "1d";
  const page = cutIntoBuckets(query, width, usageBuckets[width], effects.clock.nowMs());
  const { project_ids: projectIds, user_ids: userIds, api_key_ids: apiKeyIds } = query;
  const filters = { projectIds, userIds, apiKeyIds, ...models };
  const { buckets } = page;
  const widthMs = bucketMs[width];
  const sums = await usage.sumCalls({ buckets, widthMs, groupBy, chargedOnly: false, ...filters });
  return pageOfBuckets(page, sums, toResult);
}

function groupOf({ group }: CallSum) {
  return {
    project_id: group.project_id ?? null,
    user_id: group.user_id ?? null,
    api_key_id: group.api_key_id ?? null,
    model: group.model ?? null,
  };
}
