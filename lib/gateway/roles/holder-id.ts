/** Nobody holds a role twice in one place: the three together are the entry's id. */
export function holderId(roleId: string, projectId: string | null, id: string): string {
  return [roleId, projectId ?? "organization", id].join(":");
}
