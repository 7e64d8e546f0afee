import type { MediaFamily } from "@/lib/contract/calls/model-families";

/** How many bytes of a file `detectMediaType` looks at. None that shows or plays anything is shorter. */
export const HEAD_BYTES = 26;

type Signature = readonly [type: string, start: string, at: number];

const signatures: Readonly<Record<MediaFamily, readonly Signature[]>> = {
  image: [
    ["image/png", "\x89PNG\r\n\x1a\n", 0],
    ["image/jpeg", "\xff\xd8\xff", 0],
    ["image/webp", "WEBP", 8],
    ["image/gif", "GIF8", 0],
    ["image/avif", "ftypavif", 4],
  ],
  video: [
    ["video/quicktime", "ftypqt  ", 4],
    ["video/mp4", "ftyp", 4],
    ["video/webm", "\x1a\x45\xdf\xa3", 0],
  ],
  music: [
    ["audio/wav", "WAVE", 8],
    ["audio/mpeg", "ID3", 0],
    ["audio/mpeg", "\xff\xfb", 0],
    ["audio/mpeg", "\xff\xf3", 0],
    ["audio/mpeg", "\xff\xf2", 0],
    ["audio/ogg", "OggS", 0],
    ["audio/flac", "fLaC", 0],
    ["audio/mp4", "ftypM4A", 4],
  ],
};

/** The formats that are recognized, for messages. */
export const formatNames: Readonly<Record<MediaFamily, string>> = {
  image: "PNG, JPEG, WebP, GIF or AVIF",
  video: "MP4, WebM or QuickTime",
  music: "WAV, MP3, Ogg, FLAC or M4A",
};

/** The media type of a file by its first bytes, whatever its sender claims; null for no file of this family. */
export function detectMediaType(family: MediaFamily, bytes: Uint8Array): string | null {
  if (bytes.byteLength < HEAD_BYTES) return null;
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  return signatures[family].find(([, start, at]) => head.startsWith(start, at))?.[0] ?? null;
}
