import { encodePng } from "@/lib/gateway/providers/sandbox-media/png";

/** A PNG of one color. */
export function paintPng(
  { width, height }: { readonly width: number; readonly height: number },
  color: readonly [red: number, green: number, blue: number],
): Buffer<ArrayBuffer> {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < pixels.length; at += 4) pixels.set([...color, 255], at);
  return Buffer.from(encodePng({ width, height, pixels }).buffer);
}
