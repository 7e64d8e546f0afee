import { callBody } from "@/components/playground/calls/call-body";
import { cutForAnswer, type Pane } from "@/components/playground/panes/pane";
import { findSettingFaults } from "@/components/playground/settings";
import { findSettings, nextMessages, type Workbench } from "@/components/playground/workbench";
import type { PromptContent } from "@/lib/contract/operations/playground/prompts";

/**
 * Returns a pane's next call, or its last one if there is no next, without the model; null if there is neither or a
 * setting is invalid.
 */
export function buildPromptContent(workbench: Workbench, pane: Pane): PromptContent | null {
  const settings = findSettings(workbench, pane);
  const last = pane.messages.at(-1);
  const messages =
    nextMessages(workbench, pane) ?? (last ? cutForAnswer(pane, last.id).messages : pane.messages);
  if (messages.length === 0 || Object.keys(findSettingFaults(settings)).length > 0) return null;
  const { model: _, ...body } = callBody(pane.model, settings, messages) as Record<string, unknown>;
  return { endpoint: settings.endpoint, body } as PromptContent;
}
