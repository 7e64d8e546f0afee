import type { ModelFamily } from "@/lib/contract/calls/model-families";
import type {
  CompletionsUsageQuery,
  CostsQuery,
  MediaUsageQuery,
} from "@/lib/contract/operations/usage/usage";
import { formatAmount, type Nano } from "@/lib/money/amount";
import { PARTS_PER_UNIT } from "@/lib/money/charge";
import { listVisibleProjects } from "../../access/authorize";
import type { ClockAndRandom } from "../../clock";
import { groupBy } from "../../lists/group-by";
import type { ChargedUnits, ChargedUnitsReader } from "../../log/usage/charged-units.sql";
import {
  bucketMs,
  costBuckets,
  cutIntoBuckets,
  paginateBuckets,
  usageBuckets,
} from "../../log/usage/cut-into-buckets";
import { itemFields, itemizeCosts, type LineItem, sumLineItems } from "../../log/usage/itemize-costs";
import type { CallSelection, CallSum, GroupField, UsageReader } from "../../log/usage/usage-reader.sql";
import type { Catalogue } from "../../models/catalogue";
import { findModel } from "../../models/models";
import { invalid } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import { formatUnits, toExactNumber } from "../format-units";
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
    const groupedBy = group_by.filter((field) => field !== "service_tier" && field !== "api_source");
    // A model that is no longer in the catalogue was a chat model.
    const exceptModels = listModelIds((family) => family !== "chat");
    return list(context, query, { groupBy: groupedBy, models, exceptModels, batch }, describeCompletions);
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
  { groupBy: groupedBy = [], ...models }: BucketSelection,
  toResult: (sum: CallSum) => Result,
) {
  const width = query.bucket_width ?? "1d";
  const page = cutIntoBuckets(query, width, usageBuckets[width], runtime.clock.nowMs());
  const { project_ids: projectIds, user_ids: userIds, api_key_ids: apiKeyIds } = query;
  const filters = { projectIds, userIds, apiKeyIds, ...models };
  const { buckets } = page;
  const widthMs = bucketMs[width];
  const sums = await usage.sumCalls({ buckets, widthMs, groupBy: groupedBy, chargedOnly: false, ...filters });
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

type Grouping = NonNullable<CostsQuery["group_by"]>;

/** A result of a bucket; `item` is null if costs are not grouped by line item. */
interface Cost {
  readonly bucket: number;
  readonly group: CallSum["group"];
  readonly amount: Nano;
  readonly item: Pick<LineItem, "name" | "quantity" | "unit"> | null;
}

export function costRoutes({
  usage,
  runtime,
  organization,
}: {
  usage: UsageReader;
  runtime: ClockAndRandom;
  organization: { readonly currency: string };
}): Handlers<"listCosts"> {
  const currency = organization.currency.toLowerCase();
  return {
    listCosts: async ({ query }) => {
      const { group_by: grouping = [], line_items: names } = query;
      const page = cutIntoBuckets(query, "1d", costBuckets["1d"], runtime.clock.nowMs());
      const isItemized = grouping.includes("line_item") || names !== undefined;
      const sumFields = grouping.filter((field) => field !== "line_item");
      const sums = await usage.sumCalls({
        buckets: page.buckets,
        widthMs: bucketMs["1d"],
        groupBy: isItemized ? [...sumFields, ...itemFields] : sumFields,
        countsMade: isItemized,
        chargedOnly: true,
        projectIds: query.project_ids,
        apiKeyIds: query.api_key_ids,
      });
      const costs = isItemized ? listItemCosts(sums, grouping, names) : sums.map(toCost);
      return paginateBuckets(page, costs, ({ group, amount, item }) => ({
        object: "organization.costs.result" as const,
        amount: { value: toExactNumber(amount), currency },
        project_id: group.project_id ?? null,
        user_id: group.user_id ?? null,
        api_key_id: group.api_key_id ?? null,
        line_item: item?.name ?? null,
        quantity: item?.quantity ?? null,
        quantity_unit: item?.unit ?? null,
        api_source: null,
      }));
    },
  };
}

function toCost({ bucket, group, amount }: CallSum): Cost {
  return { bucket, group, amount, item: null };
}

/** Merges sums that were split only to be itemized: by a model's prices and, unless requested, by line item. */
function listItemCosts(
  sums: readonly CallSum[],
  grouping: Grouping,
  names: CostsQuery["line_items"],
): Cost[] {
  const byItem = grouping.includes("line_item");
  const items = sums.flatMap(itemizeCosts).filter(({ name }) => names?.includes(name) ?? true);
  const formatGroupKey = ({ bucket, group, name }: LineItem) =>
    JSON.stringify([
      bucket,
      ...grouping.map((field) => (field === "line_item" ? name : (group[field] ?? null))),
    ]);
  return [...groupBy(items, formatGroupKey).values()].flatMap((together) => {
    const [first] = together;
    if (!first) return [];
    const { amount, quantity } = sumLineItems(together);
    const { bucket, group, name, unit } = first;
    return [{ bucket, group, amount, item: byItem ? { name, quantity, unit } : null }];
  });
}

interface CostsContext {
  readonly chargedUnits: ChargedUnitsReader;
  readonly catalogue: Catalogue;
  readonly graph: AccessGraph;
  readonly organization: { readonly currency: string };
}

export function chargedUnitRoutes(context: CostsContext): Handlers<"retrieveChargedUnits"> {
  return {
    retrieveChargedUnits: async ({ params: { model_id: id }, query, caller }) => {
      const { chargedUnits, catalogue, graph, organization } = context;
      const { start_time, end_time } = query;
      findModel(catalogue, id);
      if (end_time <= start_time) throw invalid("end_time", "end_time must be after start_time.");
      const projectIds = listVisibleProjects(graph, caller, "api.usage.read");
      const [fromMs, toMs] = [start_time * 1000, end_time * 1000];
      const unitSums = await chargedUnits.chargedUnits({ model: id, projectIds, fromMs, toMs });
      return {
        object: "organization.model.charged_units",
        model: id,
        start_time,
        end_time,
        currency: organization.currency,
        data: unitSums.map(describe),
      };
    },
  };
}

function describe({ projectId, projectName, unit, listPrice, units, calls, amount }: ChargedUnits) {
  return {
    project_id: projectId,
    project_name: projectName,
    unit,
    list_price: formatAmount(listPrice),
    units: formatUnits(units),
    calls,
    amount: formatAmount(amount),
  };
}
