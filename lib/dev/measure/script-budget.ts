/**
 * The maximum first-load script, in KB (gzip), of screens that aren't lists: those with charts, and forms and tools.
 */
const budgets: Readonly<Record<string, number>> = {
  "/sign-in": 200,
  "/": 250,
  "/balance": 250,
  "/requests": 250,
  "/usage": 250,
  "/calculator": 250,
  "/account": 260,
  "/payments/import": 260,
  "/playground": 260,
  "/forgot-password": 280,
  "/invite": 280,
  "/models/new": 280,
  "/new-password": 280,
  "/roles/new": 280,
};

const LIST_KB = 220;

/** The maximum first-load script of a screen, in KB (gzip). A new screen counts as a list. */
export function findScriptBudget(url: string): number {
  return budgets[url] ?? LIST_KB;
}
