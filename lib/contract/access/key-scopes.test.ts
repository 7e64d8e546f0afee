import { expect, test } from "bun:test";
import { type OperationId, operationTable } from "../operation-table";
import { isEndpointOpen, type KeyEndpoint, keyEndpoints } from "./key-scopes";

const listOpen = (endpoints: readonly KeyEndpoint[] | null) =>
  operationTable
    .filter((operation) => isEndpointOpen(endpoints, operation))
    .map(({ id }) => id as OperationId)
    .toSorted();
/** What tells a key nothing but of itself, its own calls, and the models that it may call. */
const always: OperationId[] = [
  "listModels",
  "listOwnRequests",
  "listOwnUsage",
  "listOwnUsageSums",
  "retrieveMe",
  "retrieveModel",
  "retrieveOwnCharge",
  "retrieveOwnRequest",
  "retrieveOwnUsageSummary",
];
const tasks: OperationId[] = [
  "cancelOwnTask",
  "cancelTask",
  "listOwnTasks",
  "listTasks",
  "retrieveOwnTask",
  "retrieveOwnTaskOutput",
  "retrieveTask",
  "retrieveTaskCallback",
  "retrieveTaskOutput",
  "sendTaskCallback",
  "streamOwnTaskEvents",
  "streamTaskEvents",
];

test.each<[KeyEndpoint, OperationId[]]>([
  ["chat_completions", ["createChatCompletion", "previewChatCompletion", ...tasks]],
  ["messages", ["countMessageTokens", "createMessage"]],
  [
    "responses",
    [
      "cancelResponse",
      "changeResponseConversation",
      "connectResponses",
      "countResponseTokens",
      "createCompaction",
      "createResponse",
      "createResponseConversation",
      "createResponseConversationItems",
      "deleteResponse",
      "deleteResponseConversation",
      "deleteResponseConversationItem",
      "listResponseConversationItems",
      "listResponseItems",
      "retrieveResponse",
      "retrieveResponseConversation",
      "retrieveResponseConversationItem",
    ],
  ],
  ["embeddings", ["createEmbedding"]],
  ["images", ["createImage", "createImageEdit", ...tasks]],
  ["videos", ["createVideo", "deleteVideo", "listVideos", "retrieveVideo", "retrieveVideoContent", ...tasks]],
  ["moderations", ["createModeration"]],
  ["audio", ["createSpeech", "createTranscription", "createTranslation"]],
  ["files", ["deleteFile", "listFiles", "retrieveFile", "retrieveFileContent", "uploadFile"]],
  [
    "batches",
    ["cancelBatch", "createBatch", "listBatches", "previewBatch", "retrieveBatch", "retrieveBatchErrors"],
  ],
])(
  "a key that is limited to %s makes these calls, reads of itself, lists models, and nothing else",
  (endpoint, operations) => {
    expect(listOpen([endpoint])).toEqual([...operations, ...always].toSorted());
  },
);

test("every call that is paid is of an endpoint that a key can be limited to", () => {
  const paid = operationTable.filter(
    ({ effect, permission }) => effect === "pays" && permission === "api.completions.write",
  );
  expect(paid.length).toBeGreaterThan(5);
  expect(paid.filter((operation) => !isEndpointOpen(keyEndpoints, operation))).toEqual([]);
});

test("a key without limits makes every call", () => {
  expect(listOpen(null)).toHaveLength(operationTable.length);
});
