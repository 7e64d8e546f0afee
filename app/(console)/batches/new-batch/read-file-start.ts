import { asPagePerson } from "@/components/queries/reads/as-page-person";
import { readConsoleProblem } from "@/components/queries/reads/read-console-reply";
import { createProblem, ProblemError } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { batchEndpoints } from "@/lib/contract/operations/tasks/batches";

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
