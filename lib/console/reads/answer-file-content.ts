import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { sendRequest } from "../gateway/send-request";
import { forwardFile } from "./forward-file";

/** Downloads a stored file by `file_id`, under the name that it was uploaded with. */
export async function answerFileContent(request: Request): Promise<Response> {
  const fileId = new URL(request.url).searchParams.get("file_id") ?? "";
  return forwardFile(request, {
    operations: [operations.retrieveFileContent],
    params: /^[\w-]+$/.test(fileId) ? { file_id: fileId } : null,
    missingMessage: "There is no such file.",
    nameFile: async (_, connection) => {
      const file = await sendRequest(connection, operations.retrieveFile, { params: { file_id: fileId } });
      return file.ok ? file.data.filename : fileId;
    },
  });
}
