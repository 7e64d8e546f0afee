import { formatAmount } from "@/lib/money/amount";
import { listVisibleProjects } from "../../access/authorize";
import type { ChargedUnits, ChargedUnitsReader } from "../../log/usage/charged-units.sql";
import type { Catalogue } from "../../models/catalogue";
import { findModel } from "../../models/models";
import { invalid } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import { formatUnits } from "../format-units";
import type { Handlers } from "../handler";

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
