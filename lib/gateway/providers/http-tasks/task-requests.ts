import type { TaskApi } from "@/lib/contract/task-api";
import { fillTemplate, fillText, type Json, type ValueOf } from "@/lib/contract/task-template";
import type { SingleRequest } from "../http1/http1-client";
import { type MediaOrder, OrderRefused, type RemoteTask } from "../media-client";
import type { ProviderServer } from "../provider-kind";

/** A server with its task API. */
export type MappedServer = ProviderServer & { readonly taskApi: TaskApi };

/** The headers of each request to a task API. */
export function usualHeaders({ taskApi, apiKey }: MappedServer): Record<string, string> {
  const { header, value } = taskApi.authentication ?? { header: "authorization", value: "Bearer {api_key}" };
  return {
    accept: "*/*",
    "accept-encoding": "identity",
    ...taskApi.headers,
    ...(apiKey && { [header.toLowerCase()]: value.replaceAll("{api_key}", () => apiKey.reveal()) }),
  };
}

/** @throws OrderRefused where the model's name can't be written into the path. */
export function submitRequest({ submit }: TaskApi, order: MediaOrder, key: string): SingleRequest {
  const valueOf = valuesOf(order, key);
  const headers = {
    "content-type": "application/json",
    ...submit.headers,
    ...(submit.idempotency_header !== undefined && { [submit.idempotency_header]: key }),
  };
  return {
    method: submit.method ?? "POST",
    path: pathOf(submit.path, { model: order.model, task_id: key }),
    headers,
    body: JSON.stringify(fillTemplate(submit.body as Json, valueOf)),
  };
}

/** The path of a remote task, or of one of its outputs. */
export function pathOfTask(template: string, { id, order }: RemoteTask, position = 0): string {
  return pathOf(template, { id, model: order.model, position: String(position) });
}

/** A model's name, which the operator has written, keeps its slashes; an id keeps them in `{+id}` alone. */
function pathOf(template: string, { model = "", ...values }: Readonly<Record<string, string>>): string {
  if (/\{model\}/.test(template) && !isPath(model))
    throw new OrderRefused("provider_misconfigured", "The model's name at the provider is no path.");
  const encoded: Record<string, string> = { model: encodePath(model) };
  for (const [name, value] of Object.entries(values)) {
    encoded[name] = encodeURIComponent(value);
    encoded[`+${name}`] = encodePath(value);
  }
  return fillText(template, (name) => encoded[name]) ?? template;
}

/** Whether a text can be several segments of a path, which no server resolves to another one. */
export function isPath(text: string): boolean {
  return !text.split("/").some((segment) => ["", ".", ".."].includes(segment));
}

function encodePath(text: string): string {
  return text.split("/").map(encodeURIComponent).join("/");
}

function valuesOf(order: MediaOrder, key: string): ValueOf {
  const { model, prompt, count, size, isSizeFree, seconds, quality, further } = order;
  const sent = isSizeFree ? null : size;
  const values: Readonly<Record<string, Json | null>> = {
    model,
    prompt,
    count,
    size: sent && `${sent.width}x${sent.height}`,
    width: sent && sent.width,
    height: sent && sent.height,
    seconds,
    quality,
    task_id: key,
    parameters: further as Json,
  };
  return (name) => {
    const [first = "", field] = name.split(".");
    if (field === undefined) return values[first] ?? undefined;
    return Object.hasOwn(further, field) ? (further[field] as Json) : undefined;
  };
}
