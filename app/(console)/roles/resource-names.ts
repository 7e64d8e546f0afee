const names: Readonly<Record<string, string>> = {
  "api.organization": "Organization",
  "api.project": "Project",
};

/** Returns the label of a role's resource type; the API's word if there is none. */
export function nameResource(resourceType: string): string {
  return names[resourceType] ?? resourceType;
}
