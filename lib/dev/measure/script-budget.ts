/** The most first-load script of screens that are no lists, in KB gz: those with charts, and those that are a form or a tool. */
const budgets: Readonly<Record<string, number>> = {
  "/sign-in": 200,
  "/": 250,
  "/balance": 250,
  "/requests": 250,
  "/usage": 250,
  "/account": 260,
  "/playground": 260,
  "/forgot-password": 280,
  "/invite": 280,
  "/models/new": 280,
  "/new-password": 280,
  "/roles/new": 280,
};

const LIST_KB = 220;

/** The most first-load script of a screen, in KB gz. A new screen counts as a list. */
export function scriptBudgetOf(url: string): number {
  return budgets[url] ?? LIST_KB;
}
