import type { Unsupported } from "@/components/object-page/object-page";
import { LinkButton } from "@/components/ui/links/link-button";
import { paths } from "@/lib/console/paths";

export const unsupportedModels: Unsupported = {
  to: "list or change models",
  endpoint: "GET /organization/models",
  instead:
    "Prices and model rates are set where that gateway is configured. A model whose id you know answers all the same.",
  action: <LinkButton href={paths.playground()}>Try a model by its id</LinkButton>,
};
