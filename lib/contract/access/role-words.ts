import { predefinedRoles } from "./predefined-roles";

const PREFIX = /^role_(?:project_)?/;

/** A role in OpenAI's `role` fields: a word such as `owner` for a predefined one, otherwise its id. */
export function roleWord(id: string): string {
  return predefinedRoles.some((role) => role.id === id) ? id.replace(PREFIX, "") : id;
}

/** The id of the organization's role in a `role` field; anything but the word of a predefined role is an id. */
export function toOrganizationRoleId(word: string): string {
  return findPredefined("api.organization", word)?.id ?? word;
}

/** Returns the id of a role in a project, as `toOrganizationRoleId` does in the organization. */
export function toProjectRoleId(word: string): string {
  return findPredefined("api.project", word)?.id ?? word;
}

function findPredefined(wanted: "api.organization" | "api.project", word: string) {
  return predefinedRoles.find(({ id, resourceType }) => resourceType === wanted && roleWord(id) === word);
}
