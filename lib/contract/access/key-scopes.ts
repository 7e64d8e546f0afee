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

/**
 * The operations with which a limited key follows and cancels its own tasks. It can't see other keys' tasks, batches
 * and files.
 */
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
const operationsByEndpoint: Readonly<Record<KeyEndpoint, readonly string[]>> = {
  chat_completions: ["createChatCompletion", "previewChatCompletion", ...tasks],
  messages: ["createMessage", "countMessageTokens"],
  embeddings: ["createEmbedding"],
  moderations: ["createModeration"],
  audio: ["createSpeech", "createTranscription", "createTranslation"],
  images: ["createImage", "createImageEdit", ...tasks],
  videos: ["createVideo", "listVideos", "retrieveVideo", "retrieveVideoContent", "deleteVideo", ...tasks],
  files: ["uploadFile", "listFiles", "retrieveFile", "retrieveFileContent", "deleteFile"],
  // A key for batches also needs the endpoint that the lines call, and the files endpoint for their files.
  batches: [
    "previewBatch",
    "createBatch",
    "listBatches",
    "retrieveBatch",
    "retrieveBatchErrors",
    "cancelBatch",
  ],
};

/** The operations open to every limited key. They only read. */
const alwaysOpen: readonly string[] = ["listModels", "retrieveModel"];

/** Returns true if a key that is limited to these endpoints may call the operation. Null means no limit. */
export function isEndpointOpen(endpoints: readonly KeyEndpoint[] | null, operationId: string): boolean {
  if (endpoints === null || alwaysOpen.includes(operationId)) return true;
  return endpoints.some((endpoint) => operationsByEndpoint[endpoint].includes(operationId));
}
