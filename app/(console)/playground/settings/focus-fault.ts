/**
 * Leads to the setting that kept a message from being sent: its field gets the focus, and the caret stands where its
 * JSON breaks, as far as the browser says where.
 */
export function focusFaultySetting(): void {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    'section[aria-label="Settings"] [aria-invalid="true"]',
  );
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: "center" });
  const fault = document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
  const position = /position (\d+)/.exec(fault)?.[1];
  if (position !== undefined && field.tagName === "TEXTAREA")
    field.setSelectionRange(Number(position), Number(position) + 1);
}
