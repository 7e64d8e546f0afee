import * as z from "zod/mini";
import { defineOperations } from "../../operation";

/** The kinds of objects that are found by name or id, in the order of a reply. */
const searchedKinds = [
  "project",
  "member",
  "group",
  "role",
  "model",
  "provider",
  "project_api_key",
  "rate_limit",
  "admin_api_key",
  "prompt",
] as const;

/** The maximum number of results of each kind. */
export const MAX_RESULTS_PER_KIND = 5;

const searchResult = z.object({
  object: z.literal("search_result"),
  kind: z.enum(searchedKinds),
  id: z.string(),
  name: z.string(),
  /** What it may be found by besides: a member's address, the end of a key. Null for other kinds. */
  detail: z.nullable(z.string()),
  /** The project that it belongs to; null if it belongs to the organization. */
  project: z.nullable(z.object({ id: z.string(), name: z.string() })),
});
export type SearchResult = z.output<typeof searchResult>;

const searchQuery = z.strictObject({
  /** Part of a name, an id, a member's address or a key's last characters. Its case is ignored. */
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  /** The project whose rate limits are found too: every project has one for each model. */
  project_id: z.optional(z.string()),
});

export const searchOperations = defineOperations(
  {
    surface: "v1 and origin",
    scope: "own",
    permission: {
      open: "to every caller",
      because: "It finds only what its caller may read, so it needs no permission of its own.",
    },
  },
  {
    searchObjects: {
      method: "GET",
      path: "/organization/search",
      summary:
        "Finds what the caller may read by name or id, in every project: at most five of each kind, the closest first.",
      query: searchQuery,
      reply: z.object({ object: z.literal("list"), data: z.array(searchResult) }),
    },
  },
);
