"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { conversationDraft } from "@/lib/contract/operations/playground/conversations";
import { displayName } from "@/lib/contract/schema";

const id = z.string().check(z.regex(/^conv_[0-9a-z]{8,40}$/));

const saveInput = z.strictObject({ id, body: conversationDraft, version: knownVersion });

/** Saves a conversation. With `version`, replaces that version; refused as stale if another tab has saved since. */
export const saveConversation = defineAction(saveInput, ({ id: conversation_id, body, version }) =>
  callGateway("saveConversation", {
    params: { conversation_id },
    body,
    headers: ifMatch(version),
  }),
);

/** Renames a conversation without changing its content. */
export const renameConversation = defineAction(
  z.strictObject({ id, title: displayName }),
  async ({ id: conversation_id, title }) => {
    const found = await callGateway("retrieveConversation", { params: { conversation_id } });
    if (!found.ok) return found;
    const { content, version } = found.data;
    return callGateway("saveConversation", {
      params: { conversation_id },
      body: { title, content },
      headers: ifMatch(version),
    });
  },
);

export const removeConversation = defineAction(z.strictObject({ id }), ({ id: conversation_id }) =>
  callGateway("deleteConversation", { params: { conversation_id } }),
);
