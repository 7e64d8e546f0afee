import type { BatchErrors } from "@/lib/contract/operations/tasks/batches";
import type { FileStorage } from "../files/file-storage";
import type { BatchRecord } from "./batch-store";
import { readLines } from "./lines/read-lines";

const MOST_READ_BYTES = 16 * 1024 * 1024;
const MAX_GROUPS = 50;
const LINES_NAMED = 20;

type Group = BatchErrors["groups"][number];

/** A line of an error file, see `formatResultLines`. */
interface ErrorLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body?: { readonly error?: ErrorWords };
  } | null;
  readonly error: ErrorWords | null;
}

interface ErrorWords {
  readonly code?: string | null;
  readonly message?: string;
}

/** The failed lines of a batch, as far as its stored progress goes. */
export async function readBatchErrors(
  { storedFiles }: { readonly storedFiles: Pick<FileStorage, "open"> },
  { id, errorFileId, errorBytes, failed }: BatchRecord,
): Promise<BatchErrors> {
  const groups = new Map<string, Group>();
  let lines = 0;
  const end = Math.min(errorBytes, MOST_READ_BYTES);
  const storedFile = end > 0 ? await storedFiles.open(errorFileId, 0) : null;
  if (storedFile) {
    for await (const line of readLines(storedFile.read(0, end), { at: 0, number: 0 })) {
      // The last line read may be cut off.
      if (line.endsAt > end || (end < errorBytes && line.endsAt === end)) break;
      count(groups, JSON.parse(Buffer.from(line.bytes).toString()) as ErrorLine);
      lines++;
    }
  }
  const sortedGroups = [...groups.values()].toSorted((one, other) => other.count - one.count);
  return {
    object: "batch.errors",
    batch_id: id,
    failed: Math.max(failed, lines),
    is_complete:
      end === errorBytes && sortedGroups.length <= MAX_GROUPS && (storedFile !== null || end === 0),
    groups: sortedGroups.slice(0, MAX_GROUPS),
  };
}

function count(groups: Map<string, Group>, { id, custom_id, response, error }: ErrorLine): void {
  const { code = null, message = "" } = error ?? response?.body?.error ?? {};
  const status = response?.status_code ?? null;
  const key = `${status} ${code}`;
  const group = groups.get(key) ?? { status, code, message, count: 0, lines: [] };
  groups.set(key, group);
  group.count++;
  if (group.lines.length === LINES_NAMED) return;
  const line = Number(id.slice(id.lastIndexOf("_") + 1));
  group.lines.push({ line, custom_id, request_id: response?.request_id ?? null });
}
