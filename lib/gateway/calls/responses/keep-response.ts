import { isObject } from "@/lib/contract/json-value";
import { systemChange, type Write } from "../../changes/change";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import type { StreamSource } from "../../http/response";
import type { ResponseStore, StoredItem } from "../../log/responses/response-store.sql";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import type { BackgroundResponses } from "./background-responses";
import type { ClaimContext, ConversationClaim } from "./conversation-claim";
import { toStem } from "./response-events";
import { type RecentItems, toStoredItems } from "./turn";

type Fields = Readonly<Record<string, unknown>>;

export interface KeepContext extends ClaimContext {
  readonly responseStore: Pick<ResponseStore, "insert">;
  readonly backgroundResponses: Pick<BackgroundResponses, "settle" | "write">;
  readonly recentItems: RecentItems;
}

/** Keeps a response. @param output its items with what providers want again, where its client isn't shown that. */
export type Keep = (response: Fields, output?: readonly Fields[]) => Promise<void>;

/**
 * How a call's response is kept: whole, in its conversation, or its items for a while; null where its client wants
 * none of these.
 */
export function findKeep(
  context: KeepContext,
  incoming: IncomingCall<CompletionRequest>,
  claim: ConversationClaim | null,
): Keep | null {
  const { request, projectId, requestContext } = incoming;
  const { turn, fields } = request;
  if (!turn || !(turn.isNamed || turn.connection || claim)) return null;
  const { input, previousId, isNamed, isKept, connection, background } = turn;
  const { requestId } = requestContext;
  return async (response, output = listItems(response)) => {
    if (isNamed) context.recentItems.note(projectId, output);
    if (input === null) return;
    const stored = {
      id: String(response.id),
      projectId,
      createdAtMs: context.runtime.clock.nowMs(),
      model: fields.model,
      previousId,
      input: toStoredItems(JSON.parse(input), toStem(requestId)),
      output: output as readonly StoredItem[],
      response,
    };
    connection?.note(stored);
    if (!isKept && !claim) return;
    const write: Write = background
      ? (work) => context.backgroundResponses.write(work)
      : (work) => systemChange(context, "response", work);
    await write(async (transaction) => {
      if (background && !(await context.backgroundResponses.settle(transaction, stored))) return;
      if (isKept && !background) await context.responseStore.insert(transaction, stored);
      await claim?.append(transaction, [...stored.input, ...stored.output]);
    }).catch((error: unknown) => context.logFault(requestId, error));
  };
}

export function listItems({ output }: Fields): readonly Fields[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}

/** A response without what its client isn't shown of the thinking. */
export function withoutSeals(response: Fields): Fields {
  return {
    ...response,
    output: listItems(response).map((item) => ({ ...item, encrypted_content: undefined })),
  };
}

const ENDS = ["response.completed", "response.incomplete"].map((type) => Buffer.from(`"${type}"`));

/** A stream of a response's events, which keeps the response before the event that ends it is passed on. */
export function keepAtEnd(events: ReadableStream<Uint8Array>, keep: Keep): StreamSource {
  const reader = events.getReader();
  return {
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        const piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
        const response = ENDS.some((type) => piece.includes(type)) ? findEnded(piece) : null;
        if (response) await keep(response);
        controller.enqueue(value);
      } catch {
        controller.error();
      }
    },
    cancel: () => reader.cancel(),
  };
}

function findEnded(piece: Buffer): Fields | null {
  for (const event of new EventSplitter().push(piece)) {
    try {
      const fields: unknown = JSON.parse(readEventData(event) ?? "{}");
      const isEnd = isObject(fields) && /^response\.(?:completed|incomplete)$/.test(String(fields.type));
      if (isEnd && isObject(fields.response)) return fields.response;
    } catch {
      // `[DONE]`, the end of a stream, is no JSON.
    }
  }
  return null;
}
