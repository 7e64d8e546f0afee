import { EventSplitter, MAX_EVENT_BYTES, readEventData } from "../../http/event-splitter";
import { parseBounded } from "../../http/parse-bounded";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { computeTranscriptUsage, readTranscriptTokens } from "../usage/compute-transcript-usage";
import type { ReportedFigures } from "../usage/read-usage";
import type { ResolvedUsage } from "../usage/resolve-usage";

/** Reads from a streamed transcript, which passes by, what it is charged for by tokens. */
export class TranscriptMeter {
  readonly #splitter = new EventSplitter();
  #deltaBytes = 0;
  #doneBytes = 0;
  #reported: ReportedFigures | null = null;
  #isLost = false;

  add(piece: Uint8Array): void {
    if (this.#isLost) {
      this.#deltaBytes += piece.byteLength;
      return;
    }
    for (const event of this.#splitter.push(piece)) this.#read(event);
    if (this.#splitter.restBytes <= MAX_EVENT_BYTES) return;
    this.#isLost = true;
    this.#deltaBytes += this.#splitter.flush().byteLength;
  }

  /** The usage of what has come so far. The last event may lack its empty line. */
  usage(request: Pick<AdmissionRequest, "promptTokens" | "maxOutputTokens">): ResolvedUsage {
    if (!this.#isLost) this.#read(this.#splitter.flush());
    return computeTranscriptUsage(this.#reported, Math.max(this.#deltaBytes, this.#doneBytes), request);
  }

  #read(event: Buffer): void {
    const data = readEventData(event);
    if (data === null) return;
    const { type, delta, text, usage } = parseOrEmpty(data);
    if (type === "transcript.text.delta") this.#deltaBytes += countTextBytes(delta);
    if (type !== "transcript.text.done") return;
    this.#doneBytes = countTextBytes(text);
    this.#reported = readTranscriptTokens(usage);
  }
}

function countTextBytes(text: unknown): number {
  return typeof text === "string" ? Buffer.byteLength(text) : 0;
}

function parseOrEmpty(data: string): Record<string, unknown> {
  try {
    const value = parseBounded(data);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
