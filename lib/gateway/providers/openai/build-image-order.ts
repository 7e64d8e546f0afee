import type { OmittableField } from "@/lib/contract/calls/omittable-fields";
import { writeMultipart } from "../../http/forms/write-multipart";
import type { MediaOrder } from "../media-client";
import type { ServerRequest } from "./openai-server";

/** The request that orders images: JSON, or a form with the pictures to edit, which are read while it is sent. */
export function buildImageOrder(
  order: MediaOrder,
  refusedFields: readonly OmittableField[] = [],
): Pick<ServerRequest, "path" | "body"> {
  const { inputs } = order;
  const all: Readonly<Record<string, unknown>> = buildFields(order);
  const fields = Object.fromEntries(
    Object.entries(all).filter(([name]) => !refusedFields.some((refused) => refused === name)),
  );
  if (!inputs) return { path: "images/generations", body: JSON.stringify(fields) };
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, typeof one === "string" ? one : JSON.stringify(one)] as const),
  );
  const isList = inputs.filter(({ name }) => name === "image").length > 1;
  const files = inputs.map((input, position) => ({
    ...input,
    name: isList && input.name === "image" ? "image[]" : input.name,
    filename: input.filename || `${input.name}-${position + 1}`,
  }));
  return { path: "images/edits", body: writeMultipart(texts, files) };
}

function buildFields({ model, prompt, count, size, quality, extraFields, isSizeFree }: MediaOrder) {
  return {
    ...extraFields,
    model,
    prompt,
    n: count,
    ...(size && !isSizeFree && { size: `${size.width}x${size.height}` }),
    ...(quality !== null && { quality }),
    // OpenAI's newer models refuse the field, and always answer in this form.
    ...(!/^(gpt|chatgpt)-/.test(model) && { response_format: "b64_json" }),
  };
}
