import type { Permission } from "./permissions";

/**
 * Any one of these, held in a file's project, permits reading the bytes of its files: outputs of tasks, uploads and
 * batch results. The file's creator needs none of them.
 */
export const contentPermissions = [
  "api.request_bodies.read",
  "api.completions.write",
  "api.playground.write",
  "api.files.write",
] as const satisfies readonly Permission[];
