import { listNames, type PermissionSection } from "@/components/roles/permission-groups";
import { beginsWords } from "@/components/ui/search/match-words";

/** The words of a question that say nothing about what is asked for. */
const FILLING = new Set(
  "a an and any anybody anyone are be can could do does everybody how i in is may of or role the to what which who whose with".split(
    " ",
  ),
);

/**
 * The sections with the permissions that a search finds: each of its words begins a word of the sentence, the name or a
 * heading. Questions are understood by what they ask for: "who can rotate keys?".
 */
export function findPermissions(
  sections: readonly PermissionSection[],
  search: string,
): readonly PermissionSection[] {
  const words = search
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
  const asked = words.filter((word) => !FILLING.has(word));
  const wanted = (asked.length > 0 ? asked : words).join(" ");
  if (wanted === "") return sections;
  return sections
    .map((section) => ({
      ...section,
      resources: section.resources
        .map((resource) => ({
          ...resource,
          lines: resource.lines.filter(({ name, sentence }) =>
            beginsWords(`${section.heading} ${resource.heading} ${name} ${sentence}`, wanted),
          ),
        }))
        .filter(({ lines }) => lines.length > 0),
    }))
    .filter((section) => listNames(section).length > 0);
}
