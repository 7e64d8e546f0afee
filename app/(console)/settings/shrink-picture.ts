import { MAX_LOGO_LENGTH } from "@/lib/contract/operations/projects/organization";

/** The side of a logo: three times what the widest place shows. */
const SIDE = 96;

/**
 * Returns a picture as a small square data URL, in which all of it is seen.
 * @throws if the browser can't read it as a picture.
 */
export async function shrinkPicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const scale = Math.min(SIDE / picture.width, SIDE / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas.getContext("2d")?.drawImage(picture, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
  const asPng = canvas.toDataURL("image/png");
  // A photograph is too long as PNG.
  return asPng.length <= MAX_LOGO_LENGTH ? asPng : canvas.toDataURL("image/webp", 0.8);
}
