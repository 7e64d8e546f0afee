import * as z from "zod/mini";
import { IS_REQUIRED } from "../../describe-issue";
import { type BodyBounds, defineOperations } from "../../operation";
import { modelName } from "./completions";

/** Bounds for 2,048 texts, or for as many tokens as providers accept at once. */
const texts: BodyBounds = { bytes: 8 * 1024 * 1024, entries: 400_000 };

const MAX_INPUTS = 2_048;
const tokens = z.array(z.int().check(z.minimum(0))).check(z.minLength(1));
const inputs = (input: z.ZodMiniType<string | number[]>) =>
  z.array(input).check(z.minLength(1), z.maxLength(MAX_INPUTS));
const text = z.string().check(z.minLength(1));

/** Follows OpenAI's API reference, "Create embeddings"; any further field passes through untouched. */
export const embeddingRequest = z.looseObject({
  model: modelName,
  input: z.union([text, inputs(text), tokens, inputs(tokens)], {
    error: ({ input }) =>
      input === undefined
        ? IS_REQUIRED
        : `must be a text, a list of tokens, or a list of 1 to ${MAX_INPUTS} of either; none may be empty`,
  }),
  encoding_format: z.optional(z.nullable(z.enum(["float", "base64"]))),
  dimensions: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(100_000)))),
});
export type EmbeddingRequest = z.output<typeof embeddingRequest>;
/** How a vector is written: as a list of numbers, or as base64 of 32-bit floats in little-endian order. */
export type EmbeddingForm = NonNullable<EmbeddingRequest["encoding_format"]>;

export const embeddingOperations = defineOperations(
  {
    surface: "v1",
    scope: "named project",
    permission: "api.completions.write",
    sessionPermission: "api.playground.write",
  },
  {
    createEmbedding: {
      method: "POST",
      effect: "pays",
      path: "/embeddings",
      limitedKeys: ["embeddings"],
      summary:
        "Turns texts, or texts as tokens, into vectors, and charges their tokens to the balance. With an Idempotency-Key, a repeat within 24 hours gets the first reply and no second charge.",
      body: embeddingRequest,
      bodyBounds: texts,
      reply: z.looseObject({
        object: z.literal("list"),
        data: z.array(
          z.looseObject({
            object: z.literal("embedding"),
            index: z.int(),
            embedding: z.union([z.array(z.number()), z.string()]),
          }),
        ),
        model: z.string(),
        usage: z.optional(z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() })),
      }),
    },
  },
);
