import type { MediaFamily } from "@/lib/contract/calls/model-families";
import { invalid, type Refusal } from "../../refusal";
import { normalizeName } from "../requests/priced-fields";

/** The fields that the price depends on, which must be in this spelling, beside the prompt. */
const priced = ["n", "size", "quality", "seconds"];

/** Names of priced fields at other servers, as `normalizeName` returns them, by the name to use here. */
const otherNames = {
  n: "numimages numoutputs numvideos numsamples samples samplecount batchsize imagecount numimagesperprompt numberofimages numberofvideos",
  seconds:
    "duration durationseconds durationms length videolength videoduration musiclengthms audiolength frames numframes",
  size: "width height resolution aspectratio upscale imagesize videosize",
};

const pricedNames = new Map([
  ...priced.map((name) => [name, name] as const),
  ...Object.entries(otherNames).flatMap(([pricedName, others]) =>
    others.split(" ").map((other) => [other, pricedName] as const),
  ),
]);

/** Fields that raise the provider's price of an image, and have none here. */
const unpricedOfImages = new Set(["framecount", "complexity"]);

/**
 * The formats that cost as much as a picture. OpenAI's GIFs have up to 16 frames, and an SVG would be made and then
 * refused.
 */
const imageFormats = new Set<unknown>(["png", "jpeg", "jpg", "webp", "avif"]);

/** Fields whose content is text or the caller's own. */
const opaque = new Set(["messages", "prompt", "metadata"]);

/**
 * Refuses every field that could make an order cost the provider more than its price, at any depth.
 * @throws Refusal 400 naming the first one.
 */
export function refuseUnpriced(family: MediaFamily, request: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(request)) {
    if (pricedNames.get(normalizeName(name)) !== name) refuseField(family, name, name, value);
  }
}

function refuseField(family: MediaFamily, path: string, name: string, value: unknown): void {
  if (value === undefined || value === null || opaque.has(name)) return;
  const spelling = normalizeName(name);
  const pricedName = pricedNames.get(spelling);
  if (pricedName !== undefined) throw unpriced(path, `send ${pricedName} instead.`);
  if (family === "image" && unpricedOfImages.has(spelling)) throw unpriced(path, "leave it out.");
  if (family === "image" && spelling === "outputformat" && !isImageFormat(value))
    throw unpriced(path, "send png, jpeg or webp, or leave it out.");
  if (typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) refuseField(family, `${path}.${key}`, key, inner);
}

const isImageFormat = (value: unknown) => typeof value === "string" && imageFormats.has(value.toLowerCase());

function unpriced(path: string, mend: string): Refusal {
  const field = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return invalid(field, `${field} is not priced: ${mend}`, "unpriced_field");
}
