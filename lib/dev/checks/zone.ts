/**
 * A file belongs to the zone with the longest matching `path`. It may import its own zone, and those listed
 * (each with everything below it; `folder/*` names only the files of the folder itself).
 */
export type Zone = {
  /** A folder, or one file without its extension. */
  path: string;
  mayImport: string[];
  /** The prefixes of packages that it may import (`node:`, `zod`). Without it: all but `refusedPackages`. */
  packages?: string[];
  refusedPackages?: string[];
};

/**
 * The parts of a folder, each with the parts beside it that it may import. A part is a folder or one file. All may
 * import the files of the folder itself, and what the folder may.
 */
export function zoneParts(
  folder: string,
  rules: Omit<Zone, "path">,
  arrows: Record<string, string[]>,
): Zone[] {
  return Object.entries(arrows).map(([part, parts]) => ({
    ...rules,
    path: `${folder}/${part}`,
    mayImport: [...rules.mayImport, `${folder}/*`, ...parts.map((other) => `${folder}/${other}`)],
  }));
}
