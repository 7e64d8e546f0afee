import * as z from "zod/mini";
import { IS_REQUIRED } from "../../describe-issue";
import { type BodyBounds, defineOperations } from "../../operation";
import { modelName } from "./completions";

const textBounds: BodyBounds = { bytes: 8 * 1024 * 1024, entries: 10_000 };

const MAX_INPUTS = 2_048;
const text = z.string().check(z.minLength(1));
const textPart = z.strictObject({ type: z.literal("text"), text });
const inputs = <Input extends z.ZodMiniType>(input: Input) =>
  z.array(input).check(z.minLength(1), z.maxLength(MAX_INPUTS));

/**
 * Follows OpenAI's API reference, "Create moderation", but takes no images. Unknown fields are passed on to the
 * provider.
 */
export const moderationRequest = z.looseObject({
  model: modelName,
  input: z.union([text, inputs(text), inputs(textPart)], {
    error: ({ input }) =>
      input === undefined
        ? IS_REQUIRED
        : `must be a text, or a list of 1 to ${MAX_INPUTS} texts or parts of the type "text"; none may be empty`,
  }),
});
export type ModerationRequest = z.output<typeof moderationRequest>;

export const moderationOperations = defineOperations(
  {
    surface: "v1",
    scope: "named project",
    permission: "api.completions.write",
    sessionPermission: "api.playground.write",
  },
  {
    createModeration: {
      method: "POST",
      effect: "pays",
      path: "/moderations",
      limitedKeys: ["moderations"],
      summary:
        "Says of texts which categories of harm they fall into, and charges their tokens to the balance. With an Idempotency-Key, a repeat within 24 hours gets the first reply and no second charge.",
      body: moderationRequest,
      bodyBounds: textBounds,
      reply: z.looseObject({
        id: z.string(),
        model: z.string(),
        results: z.array(
          z.looseObject({
            flagged: z.boolean(),
            categories: z.record(z.string(), z.nullable(z.boolean())),
            category_scores: z.record(z.string(), z.number()),
          }),
        ),
        /** The tokens that were charged. */
        usage: z.optional(z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() })),
      }),
    },
  },
);
