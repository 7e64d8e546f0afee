import type { OtherFamily } from "@/lib/console/streaming/stream-media";
import { speechFormats } from "@/lib/contract/calls/speech-formats";
import { isObject, parseJson } from "@/lib/contract/json-value";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { parseWhole } from "../settings";

/** Options of a pane as typed, by the names of the API. Empty text leaves an option to the model. */
export type MediaOptions = Readonly<Record<string, string>>;

export interface MediaField {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "choice" | "json";
  /** The values of a choice, or suggestions for a text. */
  readonly values?: readonly string[];
  readonly placeholder: string;
  /** Bounds of a whole number. */
  readonly whole?: { readonly from: number; readonly to: number };
  /** Bounds of a number. */
  readonly number?: { readonly from: number; readonly to: number };
  readonly pattern?: { readonly form: RegExp; readonly fault: string };
}

const size: MediaField = {
  name: "size",
  label: "Size",
  kind: "text",
  values: ["1024x1024", "1536x1024", "1024x1536", "512x512"],
  placeholder: "1024x1024",
  pattern: { form: /^(\d{2,4}x\d{2,4}|auto)$/, fault: "write it as 1024x1024." },
};
const seconds = (placeholder: string, to: number): MediaField => ({
  name: "seconds",
  label: "Seconds",
  kind: "text",
  placeholder,
  whole: { from: 1, to },
});

const byFamily: Readonly<Record<OtherFamily, readonly MediaField[]>> = {
  image: [size, { name: "n", label: "Images", kind: "text", placeholder: "1", whole: { from: 1, to: 10 } }],
  video: [{ ...size, values: ["640x360", "1280x720", "720x1280"], placeholder: "640x360" }, seconds("5", 60)],
  music: [seconds("10", 300)],
  speech: [
    {
      name: "voice",
      label: "Voice",
      kind: "text",
      values: ["alloy", "ash", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer"],
      placeholder: "alloy",
    },
    {
      name: "response_format",
      label: "Format",
      kind: "choice",
      values: [...speechFormats],
      placeholder: "mp3",
    },
    { name: "speed", label: "Speed", kind: "text", placeholder: "1", number: { from: 0.25, to: 4 } },
    { name: "instructions", label: "Instructions", kind: "text", placeholder: "Such as: calmly" },
  ],
  transcription: [
    {
      name: "language",
      label: "Language",
      kind: "text",
      placeholder: "Detected",
      pattern: { form: /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, fault: "give a code such as en." },
    },
    {
      name: "response_format",
      label: "Format",
      kind: "choice",
      values: ["json", "text", "srt", "vtt"],
      placeholder: "json",
    },
    {
      name: "temperature",
      label: "Temperature",
      kind: "text",
      placeholder: "Model default",
      number: { from: 0, to: 1 },
    },
    { name: "translate", label: "Translate", kind: "choice", values: ["into English"], placeholder: "No" },
  ],
  embedding: [
    {
      name: "dimensions",
      label: "Dimensions",
      kind: "text",
      placeholder: "Model default",
      whole: { from: 1, to: 100_000 },
    },
  ],
  moderation: [],
};

const further: MediaField = {
  name: "further",
  label: "Further parameters",
  kind: "json",
  placeholder: '{"style": "vivid"}',
};

type MediaModel = Pick<OrganizationModel, "family" | "unit_price">;

/** The family of a model that isn't a chat model; null for a chat model, and where the model is unknown. */
export function findOtherFamily(model: Pick<OrganizationModel, "family"> | undefined): OtherFamily | null {
  return model === undefined || model.family === "chat" ? null : model.family;
}

/** The options that a model's calls take. */
export function listMediaFields(model: MediaModel): readonly MediaField[] {
  const family = findOtherFamily(model);
  if (family === null) return [];
  const qualities = Object.keys(model.unit_price?.qualities ?? {});
  const quality: MediaField = {
    name: "quality",
    label: "Quality",
    kind: "choice",
    values: qualities,
    placeholder: "standard",
  };
  return [...byFamily[family], ...(qualities.length > 0 ? [quality] : []), further];
}

/** The faults of the options, by field. Options of another kind of model are ignored. */
export function findMediaFaults(
  model: MediaModel,
  options: MediaOptions = {},
): Readonly<Record<string, string>> {
  const found = listMediaFields(model).flatMap((field): [string, string][] => {
    const fault = findFault(field, (options[field.name] ?? "").trim());
    return fault === null ? [] : [[field.name, fault]];
  });
  return Object.fromEntries(found);
}

function findFault({ label, kind, whole, number, pattern }: MediaField, text: string): string | null {
  if (text === "") return null;
  if (kind === "json") return isObject(parseJson(text)) ? null : `${label}: give a JSON object.`;
  const bounds = whole ?? number;
  if (bounds) {
    const value = whole ? (parseWhole(text) ?? Number.NaN) : Number(text);
    const what = whole ? "a whole number" : "a number";
    return value >= bounds.from && value <= bounds.to
      ? null
      : `${label}: give ${what} from ${bounds.from} to ${bounds.to}.`;
  }
  return pattern && !pattern.form.test(text) ? `${label}: ${pattern.fault}` : null;
}

/** The options as fields of a request. They must be valid. */
export function pickGivenOptions(model: MediaModel, options: MediaOptions = {}): Record<string, unknown> {
  const given = listMediaFields(model).flatMap(({ name, kind, whole, number }): [string, unknown][] => {
    const text = (options[name] ?? "").trim();
    if (text === "" || kind === "json" || name === "translate") return [];
    if (whole) return [[name, parseWhole(text)]];
    return [[name, number ? Number(text) : text]];
  });
  const more = parseJson(options.further ?? "");
  return { ...Object.fromEntries(given), ...(isObject(more) && more) };
}
