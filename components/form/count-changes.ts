/** How many fields react-hook-form's `dirtyFields` marks as changed; a list counts once. */
export function countChanges(dirtyFields: object): number {
  return Object.values(dirtyFields).filter(isChanged).length;
}

function isChanged(mark: unknown): boolean {
  if (typeof mark === "object" && mark !== null) return Object.values(mark).some(isChanged);
  return mark === true;
}
