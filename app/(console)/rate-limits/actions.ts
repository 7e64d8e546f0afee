"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { limitChangesDraft } from "@/lib/contract/operations/models/rate-limit-changes";
import { limitReplayRequest } from "@/lib/contract/operations/models/rate-limit-replay";
import { rateLimitChange } from "@/lib/contract/operations/models/rate-limits";

const saveInput = z.strictObject({
  projectId: z.string(),
  rateLimitId: z.string(),
  change: rateLimitChange,
  version: knownVersion,
});

export const saveRateLimit = defineAction(saveInput, ({ projectId, rateLimitId, change, version }) =>
  callGateway("saveRateLimit", {
    params: { project_id: projectId, rate_limit_id: rateLimitId },
    body: change,
    headers: ifMatch(version),
  }),
);

/** Saves changes of many pairs, all or none. */
export const saveLimitChanges = defineCreateAction(limitChangesDraft, (body, headers) =>
  callGateway("createRateLimitChanges", { body, headers }),
);

/** What the changes would have done to the calls of the last days. Changes nothing. */
export const replayLimitChanges = defineAction(limitReplayRequest, (body) =>
  callGateway("replayRateLimits", { body }),
);

export const undoLimitChanges = defineAction(z.strictObject({ changesId: z.string() }), ({ changesId }) =>
  callGateway("undoRateLimitChanges", { params: { changes_id: changesId } }),
);
