/** Keeps the person's choice in this browser: "on" or "off". */
export const API_NAMES_COOKIE = "gatehouse_api_names";

/** Who administers or programs knows the names from the API; finance reads screens without them. */
const technical = [
  "api.models.write",
  "api.rate_limits.write",
  "api.project_api_keys.write",
  "api.roles.write",
];

/** Returns whether names are shown: as chosen, or else to those who use the API. */
export function showsApiNames(chosen: string | undefined, held: readonly string[] | undefined): boolean {
  if (chosen === "on" || chosen === "off") return chosen === "on";
  return held === undefined || technical.some((permission) => held.includes(permission));
}
