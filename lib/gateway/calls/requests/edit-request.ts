import { imageRequest, MAX_EDITED_BYTES, MAX_EDITED_IMAGES } from "@/lib/contract/operations/calls/images";
import type { FilePart, MultipartFields } from "../../http/forms/read-multipart";
import { parseWith } from "../../http/parse-with";
import { hashBody } from "../../idempotency/idempotency";
import type { OrderInput } from "../../providers/media-client";
import { detectMediaType, HEAD_BYTES } from "../../providers/media-type";
import { invalid } from "../../refusal";
import { type OrderInputs, PreparedOrder } from "./prepared-request";
import { refuseUnpricedOrder } from "./priced-fields";
import type { UploadedFile, UploadedForm } from "./uploaded-form";

/** The shape of a form with pictures. One file more than are allowed is received, so that it can be refused. */
export const editForm = { files: ["image", "image[]", "mask"], maxFiles: MAX_EDITED_IMAGES + 2 };

const editedTypes = ["image/png", "image/jpeg", "image/webp"];

/** An order to edit pictures. */
class EditRequest extends PreparedOrder {
  constructor(
    order: ConstructorParameters<typeof PreparedOrder>[1],
    private readonly form: UploadedForm,
    readonly pictures: OrderInputs,
  ) {
    super("images/edits", order, hashBody(`images/edits\n${form.hash}`));
  }

  override release(): void {
    this.form.release();
  }
}

/** @throws Refusal 400 naming the first invalid field or file. */
export async function readEditRequest(form: UploadedForm): Promise<EditRequest> {
  const files = await Promise.all(form.files.map(describeInput));
  refuseWrongFiles(files);
  const order = { ...parseWith(imageRequest, convertFields(form.fields)), messages: [] };
  refuseUnpricedOrder(order);
  return new EditRequest(order, form, { files, keep: form.keep });
}

async function describeInput({ path, bytes, filename, name }: UploadedFile): Promise<OrderInput> {
  const field = name === "mask" ? "mask" : "image";
  const head = await Bun.file(path).slice(0, HEAD_BYTES).bytes();
  const mimeType = detectMediaType("image", head) ?? "";
  if (editedTypes.includes(mimeType) && (field === "image" || mimeType === "image/png"))
    return { name: field, filename, mimeType, bytes };
  const types = field === "mask" ? "a PNG" : "a PNG, JPEG or WebP";
  throw invalid(field, `${field} must be ${types}: "${filename.slice(0, 100)}" is none.`);
}

function refuseWrongFiles(files: readonly (FilePart & { readonly bytes: number })[]): void {
  const masks = files.filter(({ name }) => name === "mask").length;
  const images = files.length - masks;
  if (images === 0)
    throw invalid("image", "image is required: send it as a part of the body.", "missing_field");
  if (images > MAX_EDITED_IMAGES)
    throw invalid("image", `image must stand at most ${MAX_EDITED_IMAGES} times in the form.`);
  if (masks > 1) throw invalid("mask", `"mask" appears twice in the form; send it once.`);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MAX_EDITED_BYTES)
    throw invalid("image", `The pictures must be at most ${MAX_EDITED_BYTES / 1024 ** 2} MiB together.`);
}

/** Converts the text fields to the types that JSON would have. A repeated field becomes a list. */
function convertFields(fields: MultipartFields): Record<string, unknown> {
  const byName = new Map<string, string | string[]>();
  for (const [name, value] of fields) {
    const earlier = byName.get(name);
    byName.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  const values: Record<string, unknown> = Object.fromEntries(byName);
  if (/^\d{1,9}$/.test(String(values.n))) values.n = Number(values.n);
  if (values.stream === "true" || values.stream === "false") values.stream = values.stream === "true";
  return values;
}
