/** The endpoints that a key can be limited to. */
export const keyEndpoints = [
  "chat_completions",
  "messages",
  "embeddings",
  "images",
  "videos",
  "moderations",
  "audio",
  "files",
  "batches",
] as const;
export type KeyEndpoint = (typeof keyEndpoints)[number];

/** The endpoints of a key that is limited to models alone: those that name a model. */
export const modelEndpoints = keyEndpoints.filter(
  (endpoint) => endpoint !== "files" && endpoint !== "batches",
);

/** By what a limited key follows and ends the tasks that it has begun. Tasks, batches and files of other keys are not there for it. */
const tasks = [
  "listTasks",
  "retrieveTask",
  "streamTaskEvents",
  "retrieveTaskOutput",
  "cancelTask",
  "retrieveTaskCallback",
  "sendTaskCallback",
];

/** The operations that each endpoint includes. */
const opened: Readonly<Record<KeyEndpoint, readonly string[]>> = {
  chat_completions: ["createChatCompletion", "previewChatCompletion", ...tasks],
  messages: ["createMessage", "countMessageTokens"],
  embeddings: ["createEmbedding"],
  moderations: ["createModeration"],
  audio: ["createSpeech", "createTranscription", "createTranslation"],
  images: ["createImage", ...tasks],
  videos: ["createVideo", "listVideos", "retrieveVideo", "retrieveVideoContent", "deleteVideo", ...tasks],
  files: ["uploadFile", "listFiles", "retrieveFile", "retrieveFileContent", "deleteFile"],
  // Its lines need the endpoint that they call, and its files theirs.
  batches: [
    "previewBatch",
    "createBatch",
    "listBatches",
    "retrieveBatch",
    "retrieveBatchErrors",
    "cancelBatch",
  ],
};

/** A limited key can list its models, and changes nothing. */
const alwaysOpen: readonly string[] = ["listModels", "retrieveModel"];

/** Whether a key that is limited to these endpoints may call an operation; null is no limit. */
export function isEndpointOpen(endpoints: readonly KeyEndpoint[] | null, operationId: string): boolean {
  if (endpoints === null || alwaysOpen.includes(operationId)) return true;
  return endpoints.some((endpoint) => opened[endpoint].includes(operationId));
}
