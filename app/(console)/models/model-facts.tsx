import type { ReactNode } from "react";
import { sourceWords } from "@/components/models/describe-model";
import { TextLink } from "@/components/ui/links/text-link";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { isUnitFamily, writesTokens } from "@/lib/contract/calls/model-families";
import type { ModelPrice, OrganizationModel } from "@/lib/contract/operations/models/models";
import { Routes } from "./model-columns";

/** The properties of a model that can't be changed. */
export function ModelFacts({ model }: { model: OrganizationModel }) {
  const { family } = model;
  return (
    <dl className="mb-6 flex flex-wrap gap-x-10 gap-y-3 border-y py-3">
      <ModelFact name="Routes">
        <Routes routes={model.routes} />
        <TextLink href={paths.modelRoutes(model.id)}>Groups, weights and failures</TextLink>
      </ModelFact>
      <ModelFact name="Source">{sourceWords[model.source]}</ModelFact>
      {writesTokens(family) && model.unit_price === null && (
        <ModelFact name="Max output">
          {model.max_output_tokens === null ? (
            "not set"
          ) : (
            <>
              <Quantity value={model.max_output_tokens} /> tokens
            </>
          )}
        </ModelFact>
      )}
      {!isUnitFamily(family) && (
        <ModelFact name="Context window">
          {model.context_window === null ? (
            "not set"
          ) : (
            <>
              <Quantity value={model.context_window} /> tokens
            </>
          )}
        </ModelFact>
      )}
      {family === "chat" && model.price && (
        <ModelFact name="Charged as input">
          {listUnpricedClasses(model.price).join(", ") || "nothing else"}
        </ModelFact>
      )}
    </dl>
  );
}

/** The classes of input that have no price of their own. */
function listUnpricedClasses(price: ModelPrice): string[] {
  return [
    ...(price.cached_input_per_1m === undefined ? ["cached input"] : []),
    ...(price.cache_write_5m_per_1m === undefined && price.cache_write_1h_per_1m === undefined
      ? ["cache writes"]
      : [
          ...(price.cache_write_5m_per_1m === undefined ? ["cache writes for 5 minutes"] : []),
          ...(price.cache_write_1h_per_1m === undefined ? ["cache writes for 1 hour"] : []),
        ]),
  ];
}

function ModelFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
