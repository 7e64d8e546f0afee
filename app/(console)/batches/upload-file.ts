import { leaveForSignIn } from "@/app/queries/fetch-read";
import { readConsoleProblem, readConsoleReply } from "@/app/queries/read-console-reply";
import { createProblem, ProblemError } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { batchEndpoints } from "@/lib/contract/operations/batches";
import type { StoredFileObject } from "@/lib/contract/operations/files";

const brokenUpload = createProblem(
  "unreachable",
  "The upload broke off. Check your connection, then choose the file again.",
);
const unreadable = createProblem("invalid", "The file can’t be read. Choose a file, not a folder.");

type Upload = {
  file: File;
  projectId: string;
  /** Called with the uploaded fraction, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

/**
 * Uploads a batch's file for a project. Uses XMLHttpRequest, since `fetch` doesn't report upload progress.
 * @throws ProblemError
 */
export function uploadFile({ file, projectId, onProgress, signal }: Upload): Promise<StoredFileObject> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new ProblemError(brokenUpload));
    if (signal.aborted) return fail();
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onerror = fail;
    request.onabort = fail;
    request.onload = () => {
      const reply = readConsoleReply<StoredFileObject>(request.responseText);
      if ("data" in reply) return resolve(reply.data);
      if (reply.problem.code === "unauthenticated") leaveForSignIn();
      reject(new ProblemError(reply.problem));
    };
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", file);
    request.open("POST", paths.uploads(projectId));
    request.send(form);
  });
}

const READ_BYTES = 64 * 1024;

/**
 * Returns the endpoint that a file's lines call, from its first bytes. Chat completions if it names none; the check then
 * refuses it.
 */
export function findEndpoint(start: string): (typeof batchEndpoints)[number] {
  const named = /"url"\s*:\s*"([^"]*)"/.exec(start)?.[1];
  return batchEndpoints.find((endpoint) => endpoint === named) ?? batchEndpoints[0];
}

/**
 * Reads the beginning of a local file.
 * @throws ProblemError
 */
export async function readFileStart(file: Blob): Promise<string> {
  try {
    return await file.slice(0, READ_BYTES).text();
  } catch {
    throw new ProblemError(unreadable);
  }
}

/**
 * Reads the beginning of a stored file.
 * @throws ProblemError
 */
export async function readStoredStart(fileId: string): Promise<string> {
  const headers = { range: `bytes=0-${READ_BYTES - 1}` };
  const response = await fetch(paths.fileContent(fileId), { headers });
  const text = await response.text();
  if (response.ok) return text;
  throw new ProblemError(readConsoleProblem(text));
}
