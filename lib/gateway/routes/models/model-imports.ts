import { type AuthenticationContext, authenticateAgain } from "../../access/authenticate";
import type { ChangeRequest } from "../../changes/change";
import { importModels } from "../../models/import-models";
import type { ModelContext } from "../../models/models";
import { missingPermission } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import type { Handlers } from "../handler";
import { describeModel } from "./models";

interface Context extends ModelContext, AuthenticationContext {
  readonly organization: { readonly currency: string };
}

export function modelImportRoutes(context: Context): Handlers<"importModels"> {
  return {
    importModels: async ({ body, request, headers }) => {
      const allowed = body.provider ? requiringProviders(context, request, headers) : request;
      const { provider, models } = await importModels(context, allowed, body);
      const { currency } = context.organization;
      return {
        object: "organization.model_import",
        provider_id: provider.id,
        models: models.map((model) => describeModel(model, currency)),
      };
    },
  };
}

/** The same for a caller who may add providers, too. */
function requiringProviders(
  context: AuthenticationContext,
  request: ChangeRequest,
  headers: RequestHeaders,
): ChangeRequest {
  return {
    ...request,
    authorize() {
      request.authorize();
      const caller = authenticateAgain(context, headers);
      if (!caller.permissionsIn(null).has("api.providers.write"))
        throw missingPermission("api.providers.write");
    },
  };
}
