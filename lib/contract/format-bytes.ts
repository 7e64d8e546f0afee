const KIB = 1024;
const MIB = 1024 * KIB;

/** `1 byte`, `64 KiB`, `3.4 MiB`: whole KiB, and MiB with at most one decimal. */
export function formatBytes(bytes: number): string {
  if (bytes < KIB) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const kibibytes = Math.round(bytes / KIB);
  return kibibytes < KIB ? `${kibibytes} KiB` : `${Math.round((bytes / MIB) * 10) / 10} MiB`;
}
