import { LinkButton } from "@/components/links/link-button";
import { UnsupportedState } from "@/components/states/unsupported-state";
import { Page } from "@/components/ui/page";
import { paths } from "@/lib/console/paths";

/** Shown if the gateway supports only the operations of the specification. */
export function UnsupportedModels() {
  return (
    <Page>
      <UnsupportedState
        level={1}
        operation="list or change models"
        endpoint="GET /organization/models"
        action={<LinkButton href={paths.playground()}>Try a model by its id</LinkButton>}
      >
        Prices and model rates are set where that gateway is configured. A model whose id you know answers all
        the same.
      </UnsupportedState>
    </Page>
  );
}
