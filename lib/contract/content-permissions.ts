import type { Permission } from "./permissions";

/**
 * Each of these, held in a file's project, opens the bytes of files there: of what tasks made, of uploads and of results of
 * batches. Whoever made a file needs none of them.
 */
export const contentPermissions = [
  "api.request_bodies.read",
  "api.completions.write",
  "api.playground.write",
  "api.files.write",
] as const satisfies readonly Permission[];
