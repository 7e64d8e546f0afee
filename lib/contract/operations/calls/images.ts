import * as z from "zod/mini";
import { type BodyBounds, defineOperations } from "../../operation";
import { modelName } from "./completions";

const shortText = z.optional(z.nullable(z.string()));

/** The most pictures that one edit may start from, besides its mask. */
export const MAX_EDITED_IMAGES = 16;
/** The most bytes of an edit's pictures and mask together. */
export const MAX_EDITED_BYTES = 50 * 1024 * 1024;

/** Follows OpenAI's API reference, "Create image". Unknown fields are passed on to the provider. */
export const imageRequest = z.looseObject({
  model: modelName,
  prompt: z.string().check(z.minLength(1)),
  n: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(10)))),
  size: shortText,
  quality: shortText,
  /** `url` answers with the address of the task's file, which the same key can read. */
  response_format: z.optional(z.nullable(z.enum(["b64_json", "url"]))),
  stream: z.optional(z.nullable(z.literal(false, { error: () => "must be false: images come whole" }))),
  /** The address to which the callback for the task's end is sent. */
  callback_url: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
});
export type ImageRequest = z.output<typeof imageRequest>;

/** The bounds of a form with pictures. */
const pictures: BodyBounds = { bytes: MAX_EDITED_BYTES + 256 * 1024, entries: 1 };

const imagesReply = z.looseObject({
  created: z.int(),
  data: z.array(z.looseObject({ b64_json: z.optional(z.string()), url: z.optional(z.string()) })),
  output_format: z.optional(z.string()),
});

export const imageOperations = defineOperations(
  {
    surface: "v1",
    scope: "named project",
    permission: "api.completions.write",
    sessionPermission: "api.playground.write",
  },
  {
    createImage: {
      method: "POST",
      effect: "pays",
      reply: imagesReply,
      path: "/images/generations",
      limitedKeys: ["images"],
      summary:
        "Makes images and answers with them once they are made. They are made by a task, which the header x-gatehouse-task-id names: it goes on if its client leaves. With an Idempotency-Key, a repeat within 24 hours gets the same images and no second charge.",
      body: imageRequest,
    },
    createImageEdit: {
      method: "POST",
      effect: "pays",
      reply: imagesReply,
      path: "/images/edits",
      limitedKeys: ["images"],
      summary:
        "Makes images from pictures and a prompt, sent as multipart/form-data: image (or image[] for up to 16), mask, prompt, model, and n, size and quality as for images made from words, up to 50 MiB. The mask is a PNG whose transparent pixels are to be changed. It is otherwise like the creation of an image.",
      bodyBounds: pictures,
    },
  },
);
