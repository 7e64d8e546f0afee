import type { TaskApi } from "@/lib/contract/calls/task-api";
import {
  type FindTemplateValue,
  fillTemplate,
  fillText,
  type Json,
} from "@/lib/contract/calls/task-template";
import type { SingleRequest } from "../../http/outbound/http1/http1-client";
import { type MediaOrder, OrderRefused, type ProviderServer, type RemoteTask } from "../media-client";

/** A server with its task API. */
export type MappedServer = ProviderServer & { readonly taskApi: TaskApi };

/** The headers of each request to a task API. */
export function buildUsualHeaders({ taskApi, apiKey }: MappedServer): Record<string, string> {
  const { header, value } = taskApi.authentication ?? { header: "authorization", value: "Bearer {api_key}" };
  return {
    accept: "*/*",
    "accept-encoding": "identity",
    ...taskApi.headers,
    ...(apiKey && { [header.toLowerCase()]: value.replaceAll("{api_key}", () => apiKey.reveal()) }),
  };
}

/** @throws OrderRefused if the model's name can't be written into the path. */
export function submitRequest({ submit }: TaskApi, order: MediaOrder, key: string): SingleRequest {
  const findValue = buildTemplateValues(order, key);
  const headers = {
    "content-type": "application/json",
    ...submit.headers,
    ...(submit.idempotency_header !== undefined && { [submit.idempotency_header]: key }),
  };
  return {
    method: submit.method ?? "POST",
    path: fillPath(submit.path, { model: order.model, task_id: key }),
    headers,
    body: JSON.stringify(fillTemplate(submit.body as Json, findValue)),
  };
}

/** The path of a remote task, or of one of its outputs. */
export function buildTaskPath(template: string, { id, order }: RemoteTask, position = 0): string {
  return fillPath(template, { id, model: order.model, position: String(position) });
}

/** A model's name, which the operator has written, keeps its slashes; an id keeps them in `{+id}` alone. */
function fillPath(template: string, { model = "", ...values }: Readonly<Record<string, string>>): string {
  if (/\{model\}/.test(template) && !isPath(model))
    throw new OrderRefused("provider_misconfigured", "The model's name at the provider is no path.");
  const encodedValues: Record<string, string> = { model: encodePath(model) };
  for (const [name, value] of Object.entries(values)) {
    encodedValues[name] = encodeURIComponent(value);
    encodedValues[`+${name}`] = encodePath(value);
  }
  return fillText(template, (name) => encodedValues[name]) ?? template;
}

/** Whether a text can be several segments of a path, which no server resolves to another one. */
export function isPath(text: string): boolean {
  return !text.split("/").some((segment) => ["", ".", ".."].includes(segment));
}

function encodePath(text: string): string {
  return text.split("/").map(encodeURIComponent).join("/");
}

function buildTemplateValues(order: MediaOrder, key: string): FindTemplateValue {
  const { model, prompt, count, size, isSizeFree, seconds, quality, extraFields } = order;
  const sentSize = isSizeFree ? null : size;
  const values: Readonly<Record<string, Json | null>> = {
    model,
    prompt,
    count,
    size: sentSize && `${sentSize.width}x${sentSize.height}`,
    width: sentSize && sentSize.width,
    height: sentSize && sentSize.height,
    seconds,
    quality,
    task_id: key,
    parameters: extraFields as Json,
  };
  return (name) => {
    const [first = "", field] = name.split(".");
    if (field === undefined) return values[first] ?? undefined;
    return Object.hasOwn(extraFields, field) ? (extraFields[field] as Json) : undefined;
  };
}
