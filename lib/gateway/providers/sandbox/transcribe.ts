import { createHash } from "node:crypto";
import { type MultipartFields, readMultipart } from "../../http/forms/multipart";
import type { StreamedBody } from "../../http/outbound/server-reply";
import { splitWords } from "./split-words";

const WAV_HEADER_BYTES = 44;
const BYTE_RATE_AT = 28;
/** Assumed for recordings that aren't WAV: 128 kbit/s. */
const USUAL_BYTE_RATE = 16_000;
const FIELD_BYTES = 64 * 1024;

/** The properties of a recording. */
interface Transcript {
  readonly seconds: number;
  readonly text: string;
}

/** Returns a text with the recording's duration and its hash. Deterministic, and no AI. */
export async function transcribe(body: StreamedBody): Promise<Response> {
  const hash = createHash("sha256");
  let head = Buffer.alloc(0);
  let bytes = 0;
  const fields = await readMultipart(
    body.contentType,
    body.read(),
    { files: ["file"], fieldBytes: FIELD_BYTES },
    async (file) => {
      for await (const piece of file as AsyncIterable<Buffer>) {
        if (head.length < WAV_HEADER_BYTES) head = Buffer.concat([head, piece]).subarray(0, WAV_HEADER_BYTES);
        hash.update(piece);
        bytes += piece.length;
      }
    },
  );
  const seconds = Math.round(measureSeconds(head, bytes) * 100) / 100;
  const name = hash.digest("hex").slice(0, 8);
  return replyTo(fields, { seconds, text: `Not an AI: a recording of ${seconds} seconds, ${name}.` });
}

function measureSeconds(head: Buffer, bytes: number): number {
  const isWav = head.length === WAV_HEADER_BYTES && head.subarray(0, 4).toString("latin1") === "RIFF";
  const rate = isWav ? head.readUInt32LE(BYTE_RATE_AT) : 0;
  return rate > 0 ? (bytes - WAV_HEADER_BYTES) / rate : bytes / USUAL_BYTE_RATE;
}

function replyTo(fields: MultipartFields, { seconds, text }: Transcript): Response {
  const all = new Map(fields);
  if (all.get("stream") === "true")
    return new Response(writeEvents(text), { headers: { "content-type": "text/event-stream" } });
  const plain = { "content-type": "text/plain; charset=utf-8" };
  switch (all.get("response_format") ?? "json") {
    case "text":
      return new Response(`${text}\n`, { headers: plain });
    case "srt":
      return new Response(`1\n${formatTime(0, ",")} --> ${formatTime(seconds, ",")}\n${text}\n\n`, {
        headers: plain,
      });
    case "vtt":
      return new Response(`WEBVTT\n\n${formatTime(0, ".")} --> ${formatTime(seconds, ".")}\n${text}\n\n`, {
        headers: plain,
      });
    case "verbose_json":
      return Response.json({
        task: "transcribe",
        language: all.get("language") ?? "english",
        duration: seconds,
        text,
        segments: [{ id: 0, start: 0, end: seconds, text }],
        usage: { type: "duration", seconds },
      });
    case "json":
      return Response.json({ text, usage: { type: "duration", seconds } });
    default: {
      const message = "The sandbox writes json, text, srt, verbose_json and vtt.";
      const error = { message, type: "sandbox", code: null, param: "response_format" };
      return Response.json({ error }, { status: 400 });
    }
  }
}

/** A transcript word by word, as OpenAI streams it. */
function writeEvents(text: string): string {
  const deltas = splitWords(text).map((delta) => ({ type: "transcript.text.delta", delta }));
  return [...deltas, { type: "transcript.text.done", text }]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** `00:00:02.500` */
function formatTime(seconds: number, separator: string): string {
  const time = new Date(Math.round(seconds * 1_000)).toISOString();
  return `${time.slice(11, 19)}${separator}${time.slice(20, 23)}`;
}
