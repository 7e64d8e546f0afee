const names: Readonly<Record<string, string>> = {
  "api.organization": "Organization",
  "api.project": "Project",
};

/** What a role applies to, in words; the API's own word where there is none. */
export function nameResource(resourceType: string): string {
  return names[resourceType] ?? resourceType;
}
