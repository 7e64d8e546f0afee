import { expect } from "bun:test";
import OpenAI, { APIError } from "openai";
import { refuseUnlisted } from "./send";

/** The official `openai` package with its address and key changed and retries off. */
export function officialClient(baseURL: string, key: string): OpenAI {
  return new OpenAI({ baseURL, apiKey: key, adminAPIKey: key, maxRetries: 0 });
}

/**
 * The error of a call.
 * @throws Error where the call succeeded.
 */
export async function catchRefusal(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof APIError) {
    if (error.status !== undefined) refuseUnlisted(error.status, error.code);
    return error;
  }
  throw new Error(`It was not refused: ${error}`);
}

/** Calls in progress, each with its expected refusal. All are awaited together, so that no rejection is unhandled. */
export async function expectRefusals(cases: readonly [PromiseLike<unknown>, object][]): Promise<void> {
  const refusals = await Promise.all(cases.map(([call]) => catchRefusal(call)));
  for (const [index, refusal] of refusals.entries()) expect(refusal).toMatchObject(cases[index]?.[1] ?? {});
}

/** All items of a list, page after page. */
export async function collectAll<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
