import { readConsoleReply } from "@/components/queries/reads/read-console-reply";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { createProblem, ProblemError } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import type { StoredFileObject } from "@/lib/contract/operations/tasks/files";

const brokenUpload = createProblem(
  "unreachable",
  "The upload broke off. Check your connection, then choose the file again.",
);

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
