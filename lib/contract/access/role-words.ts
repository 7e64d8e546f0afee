import { predefinedRoles } from "./predefined-roles";

const PREFIX = /^role_(?:project_)?/;

/** A role in OpenAI's `role` fields: a word such as `owner` for a predefined one, otherwise its id. */
export function roleWord(id: string): string {
  return predefinedRoles.some((role) => role.id === id) ? id.replace(PREFIX, "") : id;
}

/** The role id for a `role` field, in the organization or in a project; anything but a known word is an id. */
export function toRoleId(word: string, isProject: boolean): string {
  const resourceTypeWanted = isProject ? "api.project" : "api.organization";
  const role = predefinedRoles.find(
    ({ id, resourceType }) => resourceType === resourceTypeWanted && roleWord(id) === word,
  );
  return role?.id ?? word;
}
