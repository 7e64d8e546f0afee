import type { PermissionResource } from "@/components/roles/permission-groups";

type AccessLevel = "none" | "read" | "write";

const isWrite = (name: string) => name.endsWith(".write");

/** The levels that a resource has, with their labels. Some resources can only be read, or only written. */
export function listLevels({ lines }: PermissionResource): { level: AccessLevel; label: string }[] {
  const hasWrite = lines.some(({ name }) => isWrite(name));
  const hasRead = lines.some(({ name }) => !isWrite(name));
  return [
    { level: "none", label: "None" },
    ...(hasRead ? [{ level: "read" as const, label: "Read" }] : []),
    ...(hasWrite ? [{ level: "write" as const, label: hasRead ? "Read and write" : "Write" }] : []),
  ];
}

/** The permissions of a level: all of the resource's for "write". */
export function listNamesAt({ lines }: PermissionResource, level: AccessLevel): string[] {
  const names = lines.map(({ name }) => name);
  if (level === "none") return [];
  return level === "write" ? names : names.filter((name) => !isWrite(name));
}

/** The level that these permissions make; null where none does, such as writing without reading. */
export function findLevel(resource: PermissionResource, held: readonly string[]): AccessLevel | null {
  const own = resource.lines.map(({ name }) => name).filter((name) => held.includes(name));
  const found = listLevels(resource).find(({ level }) => {
    const names = listNamesAt(resource, level);
    return names.length === own.length && names.every((name) => own.includes(name));
  });
  return found?.level ?? null;
}
