import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";

const MADE = "Created objects are deleted on their own pages.";
export const GONE = "Deleted objects can’t be restored. Create a new one.";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(login|logout)\.|^user\.sessions/, "A sign-in can’t be undone. End the session instead."],
  [
    /^payment_approval\./,
    "The approval amount is changed under Payments: a higher one needs a second member.",
  ],
  [/^payment\.(requested|declined)/, "Pending payments are decided under Payments."],
  [/^correction\.(requested|declined)/, "Pending corrections are decided under Payments."],
  [/^receipt_link\./, "A link is revoked on the call’s page; a revoked one can’t be restored."],
  [/^access_request\.(created|declined)/, "A request can’t be answered again. It can be made again."],
  [/^access_request\.ended/, "What was given for a time went back. Give it again where it is set."],
  [/^callback_secret\./, "A replaced secret can’t be restored. Replace it again with the API."],
  [/^statement\./, "A closed month stays closed. Corrections count in the month in which they are entered."],
  [/^correction\./, "A correction stays in the ledger, and can’t be corrected itself."],
  [/^payment\./, "A payment stays in the ledger. Correct its entry there."],
  [/^user\.(password|two_factor|single_sign_on)/, "Only the member can change how they sign in."],
  [/^(organization|audit_log)\./, "This can’t be undone."],
  [/^request_body\./, "Reading can’t be reverted."],
  [/^api_key\.run_as/, "A call that was sent can’t be undone."],
  [/^batch\.created/, "A batch that was created can’t be undone. Cancel it on its page."],
  [/^(file|video)\.deleted/, "Deleted files can’t be restored."],
  [/^(task|batch)\.cancel_requested/, "A cancellation can’t be undone."],
  [/^task\.callback/, "A callback that was sent can’t be undone."],
  [/^spend_alert\.fired/, "An alert that fired can’t be undone."],
  [/^provider\.circuit/, "A circuit breaker opens again by itself when calls fail."],
  [/^invite\./, "An invitation can’t be reverted. Withdraw it, or create a new one."],
  [/^project\.archived$/, "An archived project can’t be restored."],
];

/** Objects whose creation and deletion are a setting made or cleared, so that either can be undone. */
const undone = /^(role\.assignment|group\.user|spend_limit|spend_alert|model_permissions|scheduled_price)\./;

/** Returns the reason why events of a type can't be reverted; null if they may be. */
export function whyNotReverted({ type, changes }: Pick<AuditLog, "type" | "changes">): string | null {
  const known = reasons.find(([pattern]) => pattern.test(type));
  if (known) return known[1];
  if (undone.test(type)) return null;
  if (type.endsWith(".created")) return MADE;
  if (type === "user.deleted" && changes.every(({ object }) => object === "role_assignments")) return null;
  return type.endsWith(".deleted") ? GONE : null;
}
