import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod/mini";
import { parseJson } from "@/lib/contract/json-value";
import { ServerConnection } from "../../http/outbound/server-connection";
import { askWithin, describeUnanswered } from "../../providers/probe/probe-protocol";
import { invalid, Refusal } from "../../refusal";

const PAGE_LIMIT = 100;
/** More pages than any organization has. */
const MAX_PAGES = 500;
const MAX_TRIES = 6;
/** A server that can't be reached, or doesn't answer in time, is named soon. */
const MAX_UNANSWERED = 2;
const ANSWER_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** The pause before the second try where the server names none, doubled for each further one. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** The lists of OpenAI's Admin API, in all of its forms of pages. */
const page = z.object({
  data: z.array(z.unknown()),
  has_more: z.optional(z.nullable(z.boolean())),
  next: z.optional(z.nullable(z.string())),
  last_id: z.optional(z.nullable(z.string())),
});

/** Reads an organization. Nothing is changed there. */
export interface AdminApi {
  /** All items of a list; null where the server has no such list. @throws Refusal 400 for the key, 502. */
  list(path: string): Promise<unknown[] | null>;
  /** One object; null where there is none. @throws as `list`. */
  find(path: string): Promise<unknown>;
}

/** @param server checked before: an untrusted one must be at a public address. */
export function openAdminApi(
  server: { readonly baseUrl: string; readonly isTrusted: boolean },
  key: string,
): AdminApi {
  const connection = new ServerConnection(server, {
    authorization: `Bearer ${key}`,
    accept: "application/json",
  });
  const find = (path: string) => readPatiently(connection, path);
  return { find, list: (path) => readPages(find, path) };
}

async function readPages(find: AdminApi["find"], path: string): Promise<unknown[] | null> {
  const items: unknown[] = [];
  let after: string | null = null;
  for (let count = 0; count < MAX_PAGES; count++) {
    const query = `limit=${PAGE_LIMIT}${after === null ? "" : `&after=${encodeURIComponent(after)}`}`;
    const body = await find(`${path}?${query}`);
    if (body === null && count === 0) return null;
    const read = page.safeParse(body);
    if (!read.success) throw unreadable(path, "answers with something else than a list");
    const { data, has_more: hasMore, next, last_id: lastId } = read.data;
    items.push(...data);
    if (!hasMore) return items;
    const cursor: string | null = next ?? lastId ?? readId(data.at(-1));
    if (cursor === null || cursor === after) throw unreadable(path, "names no next page");
    after = cursor;
  }
  throw unreadable(path, "never ends");
}

function readId(item: unknown): string | null {
  const read = z.object({ id: z.string() }).safeParse(item);
  return read.success ? read.data.id : null;
}

/** Waits where the server is busy. @returns null for 404. */
async function readPatiently(connection: ServerConnection, path: string): Promise<unknown> {
  for (let tried = 1; ; tried++) {
    const answer = await ask(connection, path);
    // A read that broke off is repeated, too: a kept connection may have been closed meanwhile.
    const isBusy = answer.status === null || answer.status === 429 || answer.status >= 500;
    if (isBusy && tried < (answer.status === null ? MAX_UNANSWERED : MAX_TRIES)) {
      await wait(Math.min(LONGEST_PAUSE_MS, answer.retryMs ?? FIRST_PAUSE_MS * 2 ** (tried - 1)));
      continue;
    }
    if (answer.status === null) throw unreadable(path, `can't be read: ${answer.text}`);
    if (answer.status === 404) return null;
    if (answer.status === 401 || answer.status === 403) {
      const mend = "Use an admin key of the organization, with all of its read permissions.";
      throw invalid("admin_key", `The organization's server refuses this key (${answer.status}). ${mend}`);
    }
    if (answer.status >= 300) throw unreadable(path, `answers with status ${answer.status}`);
    const body = parseJson(answer.text);
    if (body === undefined) throw unreadable(path, "answers with something else than JSON");
    return body;
  }
}

async function ask(connection: ServerConnection, path: string) {
  try {
    const send = () => connection.request({ method: "GET", path, headers: {} });
    const { status, text, header } = await askWithin(send, ANSWER_MS, MAX_BYTES);
    return { status, text, retryMs: readRetry(header) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { status: null, text: describeUnanswered(error, "import"), retryMs: null };
  }
}

function readRetry(header: (name: string) => string | null): number | null {
  const ms = Number(header("retry-after-ms") ?? Number(header("retry-after") ?? Number.NaN) * 1000);
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

function unreadable(path: string, what: string): Refusal {
  const message = `${path.split("?")[0]} ${what.replace(/\.$/, "")}. Nothing was planned: check base_url, or try again later.`;
  return new Refusal(502, "service_error", "provider_error", message, { param: "base_url" });
}
