"use client";

import { listNames, type PermissionSection } from "@/components/roles/permission-groups";
import { beginsWords, listAskedWords } from "@/components/ui/search/match-words";

/**
 * The sections with the permissions that a search finds: each of its words begins a word of the sentence, the name or a
 * heading. Questions are understood by what they ask for: "who can rotate keys?".
 */
export function findPermissions(
  sections: readonly PermissionSection[],
  search: string,
): readonly PermissionSection[] {
  const wanted = listAskedWords(search);
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
