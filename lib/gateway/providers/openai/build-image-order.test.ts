import { expect, test } from "bun:test";
import { isStreamed, type RequestBody } from "../../http/outbound/server-reply";
import type { MediaOrder } from "../media-client";
import { buildImageOrder } from "./openai-media-client";

const order: MediaOrder = {
  family: "image",
  model: "dall-e-3",
  prompt: "A cat",
  count: 2,
  size: { width: 512, height: 256 },
  seconds: null,
  quality: "hd",
  extraFields: { style: "vivid", n: 9, model: "dearer" },
};
async function readForm(body?: RequestBody): Promise<string> {
  if (body === undefined || !isStreamed(body)) throw new Error("This is no form");
  return Buffer.concat(await Array.fromAsync(body.read())).toString();
}

const readFields = (more: Partial<MediaOrder> = {}) =>
  JSON.parse(String(buildImageOrder({ ...order, ...more }).body));

test("an order has what was priced, whatever its further fields say", () => {
  expect(readFields()).toEqual({
    style: "vivid",
    model: "dall-e-3",
    prompt: "A cat",
    n: 2,
    size: "512x256",
    quality: "hd",
    response_format: "b64_json",
  });
});

test("a size that the caller left to the provider, and a plain quality, are left out", () => {
  const fields = readFields({ isSizeFree: true, quality: null });
  expect(Object.keys(fields)).not.toContain("size");
  expect(Object.keys(fields)).not.toContain("quality");
});

test.each([["gpt-image-1"], ["chatgpt-image-latest"]])(
  "%s is not sent the field that it refuses",
  (model) => {
    expect(readFields({ model })).not.toHaveProperty("response_format");
  },
);

test.each([
  [1, "image"],
  [2, "image[]"],
])("%i pictures go into a form under the name %s, each with a filename", async (count, name) => {
  const picture = { name: "image" as const, filename: "", mimeType: "image/png", bytes: 3 };
  const read = async function* () {
    yield Buffer.from("abc");
  };
  const inputs = Array.from({ length: count }, () => ({ ...picture, read }));
  const { path, body } = buildImageOrder({ ...order, inputs });
  expect(path).toBe("images/edits");
  const text = await readForm(body);
  expect(text.split(`name="${name}"`)).toHaveLength(count + 1);
  expect(text).toContain(`filename="image-${count}"`);
  expect(text).toContain('name="quality"');
});
