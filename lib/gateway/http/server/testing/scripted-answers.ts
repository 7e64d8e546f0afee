import type { IncomingRequest } from "../../../incoming-request";
import { KnownResponse } from "../../known-response";
import type { ReplySink } from "../../pulled-response";

const parsePath = ({ url }: IncomingRequest) => new URL(url).pathname;

/** Answers each request once its path is let go. */
export function answerLater() {
  const pendingAnswers = new Map<string, () => void>();
  return {
    letGo: (path: string) => pendingAnswers.get(path)?.(),
    answer: (request: IncomingRequest) =>
      new Promise<Response>((resolve) => {
        const path = parsePath(request);
        pendingAnswers.set(path, () => resolve(new KnownResponse([Buffer.from(path)], { headers: {} })));
      }),
  };
}

/** A source of pieces, which counts how often it is asked. */
function createSource(pieces: readonly (Uint8Array | null)[]) {
  let pulls = 0;
  let isCanceled = false;
  const source = {
    async pull(sink: ReplySink) {
      const piece = pieces[pulls++] ?? null;
      if (piece) sink.enqueue(piece);
      else sink.close();
    },
    cancel() {
      isCanceled = true;
    },
  };
  return { source, pulls: () => pulls, isCanceled: () => isCanceled };
}

/** A source of a thousand pieces. */
export const endless = (bytes: number) =>
  createSource(Array.from({ length: 1_000 }, () => new Uint8Array(bytes)));
