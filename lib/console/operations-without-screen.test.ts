import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { type OperationId, operations } from "@/lib/contract/operation-table";
import { listFiles } from "@/lib/dev/list-files";

/** Operations without a screen, by the reason. */
const withoutScreen = {
  "for programs alone": [
    "countMessageTokens",
    "retrieveRateLimitDefault",
    "saveRateLimitDefault",
    "retrieveRateLimitPlan",
    "countResponseTokens",
    "connectResponses",
    "createCompaction",
    "createImage",
    "createImageEdit",
    "createVideo",
    "listVideos",
    "retrieveVideo",
    "retrieveVideoContent",
    "deleteVideo",
    "cancelResponse",
    "deleteResponse",
    "createResponseConversation",
    "retrieveResponseConversation",
    "changeResponseConversation",
    "deleteResponseConversation",
    "createResponseConversationItems",
    "listResponseConversationItems",
    "retrieveResponseConversationItem",
    "deleteResponseConversationItem",
    "listResponseItems",
    "retrieveResponse",
    "listModels",
    "retrieveModel",
    "retrieveAuditLogHead",
    "listOwnRequests",
    "streamTaskEvents",
    "retrieveRateLimitChanges",
    "retrieveConfigurationPlan",
  ],
  "the console reads the list, which holds the same": [
    "retrieveOrganizationModel",
    "retrievePendingPayment",
    "retrieveScheduledPrice",
    "retrieveProjectApiKey",
    "retrieveInvite",
    "retrieveRole",
    "retrieveProvider",
    "retrieveUserRole",
    "retrieveProjectUserRole",
    "retrieveProjectUser",
    "retrieveProjectGroup",
    "retrieveGroupUser",
    "retrieveGroupRole",
    "retrieveProjectGroupRole",
    "retrieveAdminApiKey",
    "retrieveProjectRole",
    "retrieveServiceAccount",
    "retrieveSpendAlert",
    "retrieveProjectSpendAlert",
  ],
  "for programs that speak to OpenAI: the console reads the summary, which holds the same": [
    "listCompletionsUsage",
    "listImagesUsage",
    "listAudioSpeechesUsage",
    "listEmbeddingsUsage",
    "listModerationsUsage",
    "listAudioTranscriptionsUsage",
    "listOwnUsage",
    "listCosts",
  ],
} satisfies Record<string, OperationId[]>;

/** Lists of reads that an action makes outdated: these are read again only where a screen shows them. */
const REFETCHED = /\brefetch\b[^[\]"]*\[[^\]]*\]/g;

test("every operation is called by the console or is known to have no screen", async () => {
  const isConsole = (path: string) => /^(app|components|lib\/console)\/.*\.tsx?$/.test(path);
  const files = (await listFiles()).filter((path) => isConsole(path) && !/\.test\.tsx?$/.test(path));
  expect(files.length).toBeGreaterThan(300);
  const source = (await Promise.all(files.map((path) => readFile(path, "utf8")))).join("\n");
  const calling = source.replaceAll(REFETCHED, "");
  const isCalled = (id: string) => new RegExp(`"${id}"|\\boperations\\.${id}\\b`).test(calling);
  const uncalledOperations = Object.keys(operations).filter((id) => !isCalled(id));
  expect(uncalledOperations.toSorted()).toEqual(Object.values(withoutScreen).flat().toSorted());
});
