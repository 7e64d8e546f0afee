import { parseFile } from "music-metadata";
import { lowerThreadPriority } from "../../http/worker-client";
import type { Recording } from "./recording-length";

/** The thread that measures recordings. It receives a path and answers with a recording, or null. */
declare const self: Worker;

lowerThreadPriority();
self.onmessage = async ({ data: path }: MessageEvent<string>) => {
  self.postMessage(await measure(path).catch(() => null));
};

async function measure(path: string): Promise<Recording | null> {
  const { format } = await parseFile(path, { duration: true, skipCovers: true });
  const { duration: seconds, container, codec } = format;
  if (seconds === undefined || !Number.isFinite(seconds) || seconds <= 0) return null;
  return { seconds, isPcmWave: container === "WAVE" && codec === "PCM" };
}
