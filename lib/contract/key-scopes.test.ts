import { expect, test } from "bun:test";
import { isEndpointOpen, keyEndpoints } from "./key-scopes";
import { operationTable } from "./operation-table";

test("a limited key calls its endpoints and lists models, and no other operation there is", () => {
  const openTo = (endpoints: Parameters<typeof isEndpointOpen>[0]) =>
    operationTable.filter(({ id }) => isEndpointOpen(endpoints, id)).map(({ id }) => id);
  const tasks = ["cancelTask", "listTasks", "retrieveTask", "retrieveTaskOutput", "streamTaskEvents"];
  tasks.push("retrieveTaskCallback", "sendTaskCallback");
  expect(openTo(["chat_completions"]).toSorted()).toEqual(
    ["createChatCompletion", "listModels", "previewChatCompletion", "retrieveModel", ...tasks].toSorted(),
  );
  expect(openTo(["messages"]).toSorted()).toEqual(
    ["countMessageTokens", "createMessage", "listModels", "retrieveModel"].toSorted(),
  );
  expect(openTo(["images"]).toSorted()).toEqual(
    ["createImage", "createImageEdit", "listModels", "retrieveModel", ...tasks].toSorted(),
  );
  expect(openTo(["batches"])).toContain("createBatch");
  expect(openTo(["batches"])).not.toContain("createChatCompletion");
  expect(openTo(["files"]).toSorted()).toEqual(
    [
      "deleteFile",
      "listFiles",
      "listModels",
      "retrieveFile",
      "retrieveFileContent",
      "retrieveModel",
      "uploadFile",
    ].toSorted(),
  );
  const any = keyEndpoints.flatMap((endpoint) => openTo([endpoint]));
  expect(new Set(openTo(keyEndpoints.slice()))).toEqual(new Set(any));
  expect(openTo(null)).toHaveLength(operationTable.length);
});
