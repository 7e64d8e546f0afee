import { predefinedRoles } from "./predefined-roles";

const PREFIX = /^role_(?:project_)?/;

/** A role as OpenAI's `role` fields name it: a predefined one by a word such as `owner`, any other by its id. */
export function roleWord(id: string): string {
  return predefinedRoles.some((role) => role.id === id) ? id.replace(PREFIX, "") : id;
}

/** The id that a `role` field means, in the organization or in a project; what is no word is an id. */
export function roleIdOf(word: string, isProject: boolean): string {
  const place = isProject ? "api.project" : "api.organization";
  const named = predefinedRoles.find(
    ({ id, resourceType }) => resourceType === place && roleWord(id) === word,
  );
  return named?.id ?? word;
}
