import { createHash } from "node:crypto";
import { createMp3Encoder } from "wasm-media-encoders";
import type { SpeechRequest } from "@/lib/contract/operations/calls/audio";
import { type MultipartFields, readMultipart } from "../../http/forms/multipart";
import type { StreamedBody } from "../../http/outbound/server-reply";
import { encodeWav } from "../sandbox-media/create-picture-random";
import { splitWords } from "./embed-text";

/** The sample rate of OpenAI's `pcm`. */
const SAMPLES_PER_SECOND = 24_000;
const SECONDS_PER_CHARACTER = 0.06;
const LOUDNESS = 0.3;
const FADE_SECONDS = 0.005;
const MP3_KILOBITS = 48;
/** Enough for one piece of a stream, and only a few milliseconds of work. */
const CHARACTERS_PER_PIECE = 4;

const types: Readonly<Record<string, string>> = { mp3: "audio/mpeg", wav: "audio/wav", pcm: "audio/pcm" };

/** The media type of a format; null for one that the sandbox doesn't make. */
export function findSpeechType({ response_format }: Pick<SpeechRequest, "response_format">): string | null {
  return types[response_format ?? "mp3"] ?? null;
}

/** Renders a text as one tone per character and silence between words. Deterministic for text and voice. */
export async function* speak(request: SpeechRequest): AsyncGenerator<Uint8Array> {
  const characters = [...request.input];
  const { response_format } = request;
  if (response_format === "wav")
    yield writeWavHeader(characters.length * computeSamplesPerCharacter(request));
  const encode = response_format === "wav" || response_format === "pcm" ? toPcm : await mp3Encoder();
  for (let at = 0; at < characters.length; at += CHARACTERS_PER_PIECE) {
    const piece = characters.slice(at, at + CHARACTERS_PER_PIECE);
    yield encode(drawTones(piece, request));
  }
  yield encode(null);
}

/** The same audio as the events of `stream_format: "sse"`. */
export async function* speakAsEvents(request: SpeechRequest): AsyncGenerator<Uint8Array> {
  const event = (value: object) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
  for await (const piece of speak(request))
    if (piece.length > 0)
      yield event({ type: "speech.audio.delta", audio: Buffer.from(piece).toString("base64") });
  const input_tokens = request.input.length;
  const usage = { input_tokens, output_tokens: 0, total_tokens: input_tokens };
  yield event({ type: "speech.audio.done", usage });
}

/** Encodes a piece of samples; null ends the file. */
type Encode = (samples: Float32Array | null) => Uint8Array;

const toPcm: Encode = (samples) => {
  const pcm = Int16Array.from(samples ?? [], (sample) => Math.round(sample * 32_767));
  return new Uint8Array(pcm.buffer);
};

async function mp3Encoder(): Promise<Encode> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: SAMPLES_PER_SECOND, channels: 1, bitrate: MP3_KILOBITS });
  // Copied, since the encoder reuses its memory for the next piece.
  return (samples) => new Uint8Array(samples ? encoder.encode([samples]) : encoder.finalize());
}

function writeWavHeader(samples: number): Uint8Array {
  const file = encodeWav(new Int16Array(0), SAMPLES_PER_SECOND);
  const header = Buffer.from(file);
  const bytes = samples * Int16Array.BYTES_PER_ELEMENT;
  header.writeUInt32LE(header.length - 8 + bytes, 4);
  header.writeUInt32LE(bytes, header.length - 4);
  return header;
}

function computeSamplesPerCharacter({ speed }: SpeechRequest): number {
  return Math.round((SAMPLES_PER_SECOND * SECONDS_PER_CHARACTER) / (speed ?? 1));
}

function drawTones(characters: readonly string[], request: SpeechRequest): Float32Array {
  const length = computeSamplesPerCharacter(request);
  const samples = new Float32Array(characters.length * length);
  const root = findRootTone(request.voice);
  for (const [index, character] of characters.entries())
    if (character.trim() !== "")
      makeSound(samples.subarray(index * length, (index + 1) * length), root, character);
  return samples;
}

/** Returns a voice's lowest tone, from 110 to 220 Hz. */
function findRootTone(voice: SpeechRequest["voice"]): number {
  const name = typeof voice === "string" ? voice : voice.id;
  return 110 * 2 ** ((Bun.hash.xxHash32(name) % 12) / 12);
}

function makeSound(samples: Float32Array, root: number, character: string): void {
  const frequency = root * 2 ** (((character.codePointAt(0) ?? 0) % 24) / 12);
  const fade = FADE_SECONDS * SAMPLES_PER_SECOND;
  for (let at = 0; at < samples.length; at++) {
    const turn = (2 * Math.PI * frequency * at) / SAMPLES_PER_SECOND;
    const edge = Math.min(1, at / fade, (samples.length - at) / fade);
    samples[at] = LOUDNESS * edge * (Math.sin(turn) + 0.4 * Math.sin(2 * turn)) * 0.7;
  }
}

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
