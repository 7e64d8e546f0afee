const KIB = 1024;
const MIB = 1024 * KIB;

/** `64 KiB`, `32 MiB`. */
export function formatBytes(bytes: number): string {
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
