import { openReads } from "../database/database";
import { openSums } from "../log/sums/sum-calls.sql";
import { Reporter } from "./reporter";
import type { FromReporting, ToReporting } from "./reporting-protocol";

/** The reporting thread of the embedded database, so that no read and no sum keeps a call waiting. */
declare const self: Worker;

interface Store {
  readonly reporter: Reporter;
  close(): Promise<void>;
}

let store: Store | undefined;
/** The questions under way that can be stopped, by their ids. */
const underWay = new Map<number, AbortController>();

const answer = (message: FromReporting) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToReporting>) => {
  if (data.kind === "open") openStore(data.path);
  else if (data.kind === "close") void close();
  else if (data.kind === "stop") underWay.get(data.id)?.abort();
  else if (data.kind === "keep peaks") void store?.reporter.limits.add(data.atMs, data.peaks);
  else if (store) void answerFrom(store.reporter, data);
};

function openStore(path: string): void {
  const sums = openSums(path);
  const reads = openReads(path);
  const report = (error: unknown) => answer({ kind: "fault", id: null, reason: String(error) });
  const reporter = new Reporter({ sums, reads, report });
  store = {
    reporter,
    async close() {
      await reporter.close();
      await reads.destroy();
      await sums.destroy();
    },
  };
}

async function answerFrom(
  reporter: Reporter,
  { id, question }: Extract<ToReporting, { kind: "ask" }>,
): Promise<void> {
  const stopping = new AbortController();
  underWay.set(id, stopping);
  const report = (share: number) => answer({ kind: "progress", id, share });
  try {
    answer({ kind: "answer", id, answer: await reporter.answer(question, stopping.signal, report) });
  } catch (error) {
    // Reads in several steps fail when their connection closes.
    if (!reporter.isClosing && !stopping.signal.aborted) answer({ kind: "fault", id, reason: String(error) });
  } finally {
    underWay.delete(id);
  }
}

async function close(): Promise<void> {
  await store?.close();
  answer({ kind: "closed" });
}
