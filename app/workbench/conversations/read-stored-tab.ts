import * as z from "zod/mini";
import type { Workbench } from "../panes/pane";
import type { OpenConversation } from "./open-conversation";
import { hashContent, isWorkbench } from "./saved-content";

const text = z.string();

/** What is being saved or has failed when the tab is left is unsaved when it is back. */
const state = z.pipe(
  z.object({ kind: z.enum(["unsaved", "saving", "saved", "failed", "stale"]) }),
  z.transform(({ kind }) => ({ kind: kind === "saved" ? ("saved" as const) : ("unsaved" as const) })),
);

const conversation = z.object({
  id: text.check(z.regex(/^conv_[0-9a-z]{8,40}$/)),
  version: z.nullable(text),
  title: z.nullable(text),
  isShared: z.boolean(),
  isForeign: z.boolean(),
  known: z.array(text),
  state,
});

export type StoredTab = { readonly workbench: Workbench; readonly conversation: OpenConversation };

/** Reads what a tab stored of its workbench. @returns null if it has another shape, as before the console was updated. */
export function readStoredTab(values: Readonly<Record<string, unknown>>): StoredTab | null {
  const { workbench } = values;
  const stored = conversation.safeParse(values.conversation);
  if (!isWorkbench(workbench) || !stored.success) return null;
  // The tab may have sent it before a reload, without receiving the reply.
  const known = [...stored.data.known, hashContent(workbench)];
  return { workbench, conversation: { ...stored.data, known } };
}
