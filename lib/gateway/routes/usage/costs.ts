import type { CostsQuery } from "@/lib/contract/operations/usage/usage";
import { formatAmount, type Nano } from "@/lib/money/amount";
import { listVisibleProjects } from "../../access/authorize";
import type { ClockAndRandom } from "../../clock";
import { groupBy } from "../../lists/group-by";
import type { ChargedUnits, ChargedUnitsReader } from "../../log/usage/charged-units.sql";
import { bucketMs, costBuckets, cutIntoBuckets, paginateBuckets } from "../../log/usage/cut-into-buckets";
import { itemFields, itemizeCosts, type LineItem, sumLineItems } from "../../log/usage/itemize-costs";
import type { CallSum, UsageReader } from "../../log/usage/usage-reader.sql";
import type { Catalogue } from "../../models/catalogue";
import { findModel } from "../../models/models";
import { invalid } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import { formatUnits, toExactNumber } from "../format-units";
import type { Handlers } from "../handler";

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

interface Context {
  readonly chargedUnits: ChargedUnitsReader;
  readonly catalogue: Catalogue;
  readonly graph: AccessGraph;
  readonly organization: { readonly currency: string };
}

export function chargedUnitRoutes(context: Context): Handlers<"retrieveChargedUnits"> {
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
