import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { toFile } from "openai";
import { encodePng } from "@/lib/gateway/providers/sandbox-media/png";
import type { ServedGateway } from "../gateways/serve-gateway";
import { paintPng } from "./paint-png";
import { fetchWithKey } from "./send";
import type { TaskClient } from "./task-client";

/** The side of each picture in pixels. */
const SIDE = 8;

export type FormFields = readonly (readonly [name: string, value: string | File])[];

/** A PNG of one color. */
export function picture(
  name = "red.png",
  color: readonly [number, number, number] = [200, 0, 0],
): Promise<File> {
  return toFile(paintPng({ width: SIDE, height: SIDE }, color), name, { type: "image/png" });
}

/** A mask whose left half is opaque, and whose right half is transparent. */
export function mask(): Promise<File> {
  const row = SIDE * 4;
  const isOpaque = (at: number) => at % 4 === 3 && at % row < row / 2;
  const pixels = Uint8Array.from({ length: SIDE * row }, (_, at) => (isOpaque(at) ? 255 : 0));
  return toFile(encodePng({ width: SIDE, height: SIDE, pixels }), "mask.png", { type: "image/png" });
}

/** The text fields of an edit that the sandbox makes at once. */
export const soonEdited: FormFields = [
  ["model", "sandbox-image"],
  ["prompt", "a lighthouse"],
  ["size", "16x16"],
  ["sandbox[takes_ms]", "0"],
];

export function buildFormData(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** Sends the form of an edit without a client library. */
export async function sendEdit(gateway: ServedGateway, tasks: TaskClient, fields: FormFields, headers = {}) {
  const request = { key: gateway.key, headers, body: buildFormData(fields) };
  const reply = await tasks.whileTimePasses(fetchWithKey(`${gateway.baseUrl}/images/edits`, request));
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as { error?: { param?: string; code?: string; limit?: object } },
  };
}

/** How many orders have pictures on disk. */
export async function ordersWithPictures({ dataFolder }: ServedGateway): Promise<number> {
  return (await readdir(join(dataFolder, "inputs")).catch(() => [])).length;
}
