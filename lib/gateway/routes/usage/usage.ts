import type { ModelFamily } from "@/lib/contract/calls/model-families";
import type { CompletionsUsageQuery, MediaUsageQuery } from "@/lib/contract/operations/usage/usage";
import { PARTS_PER_UNIT } from "@/lib/money/charge";
import type { ClockAndRandom } from "../../clock";
import { bucketMs, cutIntoBuckets, paginateBuckets, usageBuckets } from "../../log/usage/cut-into-buckets";
import type { CallSelection, CallSum, GroupField, UsageReader } from "../../log/usage/usage-reader.sql";
import type { Catalogue } from "../../models/catalogue";
import type { Handlers } from "../handler";

type Ids =
  | "listCompletionsUsage"
  | "listOwnUsage"
  | "listImagesUsage"
  | "listAudioSpeechesUsage"
  | "listAudioTranscriptionsUsage"
  | "listEmbeddingsUsage"
  | "listModerationsUsage";

interface Context {
  readonly usage: UsageReader;
  readonly catalogue: Catalogue;
  readonly runtime: ClockAndRandom;
}

export function usageRoutes(context: Context): Handlers<Ids> {
  const listModelIds = (includesFamily: (family: ModelFamily) => boolean) =>
    context.catalogue.list().flatMap(({ id, family }) => (includesFamily(family) ? [id] : []));
  const completions = (query: CompletionsUsageQuery) => {
    const { batch, group_by = [], models } = query;
    // All calls have the same tier and source, so grouping by these fields splits nothing.
    const groupBy = group_by.filter((field) => field !== "service_tier" && field !== "api_source");
    // A model that is no longer in the catalogue was a chat model.
    const exceptModels = listModelIds((family) => family !== "chat");
    return list(context, query, { groupBy, models, exceptModels, batch }, describeCompletions);
  };
  /** The usage of the models of a family. */
  const listFamilyUsage = <Result>(
    family: ModelFamily,
    query: MediaUsageQuery,
    toResult: (sum: CallSum) => Result,
  ) => {
    const models = listModelIds((own) => own === family).filter((id) => query.models?.includes(id) ?? true);
    const countsMade = family === "image" || family === "speech" || family === "transcription";
    return list(context, query, { groupBy: query.group_by, models, countsMade }, toResult);
  };
  return {
    listCompletionsUsage: ({ query }) => completions(query),
    listOwnUsage: ({ query, caller: { holder, keyId } }) => {
      const own = holder.kind === "user" ? { user_ids: [holder.id] } : { api_key_ids: [keyId] };
      return completions({ ...query, ...own });
    },
    listImagesUsage: ({ query }) =>
      listFamilyUsage("image", query, (sum) => ({
        object: "organization.usage.images.result" as const,
        images: sum.mediaOutput?.files ?? 0,
        ...countAndGroup(sum),
        size: null,
        source: null,
      })),
    listAudioSpeechesUsage: ({ query }) =>
      listFamilyUsage("speech", query, (sum) => ({
        object: "organization.usage.audio_speeches.result" as const,
        characters: roundUnits(sum),
        ...countAndGroup(sum),
      })),
    listAudioTranscriptionsUsage: ({ query }) =>
      listFamilyUsage("transcription", query, (sum) => ({
        object: "organization.usage.audio_transcriptions.result" as const,
        seconds: roundUnits(sum),
        ...countAndGroup(sum),
      })),
    listEmbeddingsUsage: ({ query }) =>
      listFamilyUsage("embedding", query, (sum) => ({
        object: "organization.usage.embeddings.result" as const,
        input_tokens: sum.inputTokens,
        ...countAndGroup(sum),
      })),
    listModerationsUsage: ({ query }) =>
      listFamilyUsage("moderation", query, (sum) => ({
        object: "organization.usage.moderations.result" as const,
        input_tokens: sum.inputTokens,
        ...countAndGroup(sum),
      })),
  };
}

function describeCompletions(sum: CallSum) {
  return {
    object: "organization.usage.completions.result" as const,
    input_tokens: sum.inputTokens,
    output_tokens: sum.outputTokens,
    input_cached_tokens: sum.cachedTokens,
    input_audio_tokens: sum.audioInputTokens,
    output_audio_tokens: sum.audioOutputTokens,
    ...countAndGroup(sum),
    batch: sum.group.batch === undefined ? null : sum.group.batch === "true",
    service_tier: null,
    api_source: null,
  };
}

interface BucketSelection extends Pick<CallSelection, "models" | "exceptModels" | "batch" | "countsMade"> {
  readonly groupBy: readonly GroupField[] | undefined;
}

async function list<Result>(
  { usage, runtime }: Context,
  query: Omit<MediaUsageQuery, "group_by">,
  { groupBy = [], ...models }: BucketSelection,
  toResult: (sum: CallSum) => Result,
) {
  const width = query.bucket_width ?? "1d";
  const page = cutIntoBuckets(query, width, usageBuckets[width], runtime.clock.nowMs());
  const { project_ids: projectIds, user_ids: userIds, api_key_ids: apiKeyIds } = query;
  const filters = { projectIds, userIds, apiKeyIds, ...models };
  const { buckets } = page;
  const widthMs = bucketMs[width];
  const sums = await usage.sumCalls({ buckets, widthMs, groupBy, chargedOnly: false, ...filters });
  return paginateBuckets(page, sums, toResult);
}

/** Whole units, as OpenAI reports them: part of a second is rounded once, for the whole bucket. */
function roundUnits({ mediaOutput }: CallSum): number {
  return Math.round((mediaOutput?.parts ?? 0) / PARTS_PER_UNIT);
}

function countAndGroup({ requests, group }: CallSum) {
  return {
    num_model_requests: requests,
    project_id: group.project_id ?? null,
    user_id: group.user_id ?? null,
    api_key_id: group.api_key_id ?? null,
    model: group.model ?? null,
  };
}
