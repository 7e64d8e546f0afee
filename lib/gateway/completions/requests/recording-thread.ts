import { parseFile } from "music-metadata";
import { lowerThreadPriority } from "../../http/background-thread";

/** The thread that measures recordings: it gets a path, and answers with seconds or null. */
declare const self: Worker;

lowerThreadPriority();
self.onmessage = async ({ data: path }: MessageEvent<string>) => {
  self.postMessage(await secondsOf(path).catch(() => null));
};

async function secondsOf(path: string): Promise<number | null> {
  const { format } = await parseFile(path, { duration: true, skipCovers: true });
  const { duration } = format;
  return duration !== undefined && Number.isFinite(duration) && duration > 0 ? duration : null;
}
