"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { previewBatch } from "@/app/(console)/batches/actions";
import { callAction } from "@/components/queries/actions/call-action";
import {
  asPagePerson,
  describeConsoleFailure,
  readConsoleProblem,
  readConsoleReply,
} from "@/components/queries/reads/fetch-read";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { deleteFile } from "@/components/tasks/actions";
import { createProblem, type Problem, ProblemError } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import type { BatchPreview } from "@/lib/contract/operations/tasks/batches";
import { batchEndpoints } from "@/lib/contract/operations/tasks/batches";
import type { StoredFileObject } from "@/lib/contract/operations/tasks/files";

export type CheckedFile =
  | { step: "none" }
  | { step: "uploading"; name: string; share: number }
  | { step: "checking"; name: string }
  | { step: "refused"; name: string; problem: Problem }
  | { step: "checked"; name: string; preview: BatchPreview };

const STORED = "The stored file";

/**
 * Uploads a file and checks its lines, or checks the stored file `fileId`. Deletes an uploaded file again if it is
 * refused or the dialog closes, unless `keep` was called.
 */
export function useCheckedFile(projectId: string, fileId: string | null) {
  const [file, setFile] = useState<CheckedFile>(
    fileId === null ? { step: "none" } : { step: "checking", name: STORED },
  );
  const uploaded = useRef<StoredFileObject | null>(null);
  const uploading = useRef<AbortController | null>(null);

  const discard = useCallback(() => {
    uploading.current?.abort();
    const left = uploaded.current;
    uploaded.current = null;
    // A file that can't be deleted now stays in the list of files.
    if (left) void callAction(() => deleteFile({ fileId: left.id, version: left.version }), "none");
  }, []);

  const check = useCallback(
    async (id: string, name: string, start: string) => {
      setFile({ step: "checking", name });
      const draft = { projectId, fileId: id, endpoint: findEndpoint(start) };
      const reply = await callAction(() => previewBatch(draft), "none");
      if (!reply.ok) throw new ProblemError(reply);
      setFile({ step: "checked", name, preview: reply.data });
    },
    [projectId],
  );

  const refuse = useCallback(
    (name: string, error: unknown) => {
      discard();
      const problem = describeConsoleFailure(error, "none");
      if (problem.code === "unauthenticated") leaveForSignIn();
      setFile({ step: "refused", name, problem });
    },
    [discard],
  );

  const uploadAndCheck = useCallback(
    async (chosen: File) => {
      discard();
      const { name } = chosen;
      const abort = new AbortController();
      uploading.current = abort;
      const onProgress = (share: number) => setFile({ step: "uploading", name, share });
      onProgress(0);
      try {
        const start = await readFileStart(chosen);
        const upload = { file: chosen, projectId, onProgress, signal: abort.signal };
        uploaded.current = await asPagePerson(() => uploadFile(upload));
        await check(uploaded.current.id, name, start);
      } catch (error) {
        if (!abort.signal.aborted) refuse(name, error);
      }
    },
    [projectId, check, discard, refuse],
  );

  useEffect(() => {
    if (fileId === null) return;
    readStoredStart(fileId)
      .then((start) => check(fileId, STORED, start))
      .catch((error: unknown) => refuse(STORED, error));
  }, [fileId, check, refuse]);
  // Runs however the dialog is closed.
  useEffect(() => discard, [discard]);

  const keep = useCallback(() => {
    uploaded.current = null;
  }, []);
  return { file, uploadAndCheck, keep };
}

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
function uploadFile({ file, projectId, onProgress, signal }: Upload): Promise<StoredFileObject> {
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

const unreadable = createProblem("invalid", "The file can’t be read. Choose a file, not a folder.");

const READ_BYTES = 64 * 1024;

/**
 * Returns the endpoint that a file's lines call, from its first bytes. Chat completions if it names none; the check
 * then refuses it.
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
  const response = await asPagePerson(() => fetch(paths.fileContent(fileId), { headers }));
  const text = await response.text();
  if (response.ok) return text;
  throw new ProblemError(readConsoleProblem(text));
}
