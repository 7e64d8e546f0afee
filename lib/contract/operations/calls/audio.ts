import * as z from "zod/mini";
import { speechFormats } from "../../calls/speech-formats";
import { IS_REQUIRED } from "../../describe-issue";
import { type BodyBounds, defineOperations } from "../../operation";
import { binary } from "../../raw-reply";
import { modelName } from "./completions";

/** The most characters of the text to speak, and of the instructions how to. */
const MAX_SPOKEN_CHARACTERS = 4_096;
/** The largest recording that providers accept at once. */
export const MAX_AUDIO_BYTES = 25 * 1024 * 1024;

const spokenText = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(MAX_SPOKEN_CHARACTERS, `must be at most ${MAX_SPOKEN_CHARACTERS} characters long`),
  );

/** Follows OpenAI's API reference, "Create speech". Unknown fields are passed on to the provider. */
export const speechRequest = z.looseObject({
  model: modelName,
  input: spokenText,
  voice: z.union([z.string().check(z.minLength(1)), z.looseObject({ id: z.string() })], {
    error: ({ input }) => (input === undefined ? IS_REQUIRED : "must be the name of a voice"),
  }),
  instructions: z.optional(z.nullable(z.string().check(z.maxLength(MAX_SPOKEN_CHARACTERS)))),
  /** mp3 by default. */
  response_format: z.optional(z.nullable(z.enum(speechFormats))),
  speed: z.optional(z.nullable(z.number().check(z.gte(0.25), z.lte(4)))),
  /** `audio` answers with the file's bytes as they are generated, `sse` with events that contain them. */
  stream_format: z.optional(z.nullable(z.enum(["audio", "sse"]))),
});
export type SpeechRequest = z.output<typeof speechRequest>;

const transcriptFormats = ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"] as const;

const translation = {
  model: modelName,
  prompt: z.optional(z.string()),
  /** json by default. Not every model has each. */
  response_format: z.optional(z.enum(transcriptFormats)),
  temperature: z.optional(z.number().check(z.gte(0), z.lte(1))),
};

/** The text fields of OpenAI's "Create translation", without the file. Unknown ones are passed on to the provider. */
export const translationFields = z.looseObject(translation);

/** The text fields of OpenAI's "Create transcription", without the file. */
export const transcriptionFields = z.looseObject({
  ...translation,
  language: z.optional(z.string()),
  /** Streams the text as events while it is transcribed. Not every model supports it. */
  stream: z.optional(z.boolean()),
});

const textBounds: BodyBounds = { bytes: 64 * 1024, entries: 2_000 };
/** The bounds of a form with a recording. */
const recordingBounds: BodyBounds = { bytes: MAX_AUDIO_BYTES + 64 * 1024, entries: 1 };

const transcript = z.union([z.looseObject({ text: z.string() }), z.string()]);

export const audioOperations = defineOperations(
  {
    surface: "v1",
    scope: "named project",
    permission: "api.completions.write",
    sessionPermission: "api.playground.write",
  },
  {
    createSpeech: {
      method: "POST",
      effect: "pays",
      path: "/audio/speech",
      limitedKeys: ["audio"],
      summary:
        "Speaks a text, and charges the characters of input and instructions to the balance. The audio is sent while it is made. With an Idempotency-Key, a repeat within 24 hours gets the same audio, up to 768 KiB, and no second charge.",
      body: speechRequest,
      bodyBounds: textBounds,
      reply: binary("audio/*"),
    },
    createTranscription: {
      method: "POST",
      effect: "pays",
      path: "/audio/transcriptions",
      limitedKeys: ["audio"],
      summary:
        "Writes down what is said in a recording, sent as multipart/form-data with the fields file and model, up to 25 MiB, and charges its duration or, for a model priced by tokens, its tokens to the balance. With an Idempotency-Key, a repeat within 24 hours gets the first reply and no second charge.",
      bodyBounds: recordingBounds,
      reply: transcript,
    },
    createTranslation: {
      method: "POST",
      effect: "pays",
      path: "/audio/translations",
      limitedKeys: ["audio"],
      summary:
        "Writes down in English what is said in a recording, and is otherwise like the transcription of one.",
      bodyBounds: recordingBounds,
      reply: transcript,
    },
  },
);
