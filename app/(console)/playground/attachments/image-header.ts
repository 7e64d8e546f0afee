/** The format and size of an image, as its first bytes say. */
interface ImageHeader {
  readonly mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Returns null if the bytes begin no PNG, JPEG, GIF or WebP image, whatever the file is called. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
  } catch (error) {
    // The bytes end within the header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readPng(view: DataView): ImageHeader | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  return { mimeType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageHeader | null {
  if (readAscii(view, 0, 4) !== "GIF8") return null;
  return { mimeType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** WebP has one of three kinds of data, each with its own way to write the size. */
function readWebp(view: DataView): ImageHeader | null {
  if (readAscii(view, 0, 4) !== "RIFF" || readAscii(view, 8, 4) !== "WEBP") return null;
  const mimeType = "image/webp" as const;
  switch (readAscii(view, 12, 4)) {
    case "VP8X":
      return { mimeType, width: (view.getUint32(24, true) & 0xffffff) + 1, height: threeBytes(view, 27) + 1 };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return {
        mimeType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return null;
  }
}

/** The size is in the frame header, after segments of any length. */
function readJpeg(view: DataView): ImageHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mimeType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return null;
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function readAscii(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));
}
