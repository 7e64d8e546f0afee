import { LineBudget } from "@/lib/line-budget/line-budget";

type Output = Pick<Console, "error" | "warn">;

/** How the console's own faults begin, see `reportUnexpected`. */
const OWN_FAULT = /^console_/;

/**
 * Bounds what is written with `console.error` and `console.warn`: Next.js writes a line for each request that asks for
 * a server action that there isn't, or from another origin, and anybody can send those.
 */
export function limitLog(output: Output = console, nowMs = () => performance.now()): void {
  const budget = new LineBudget(nowMs);
  for (const level of ["error", "warn"] as const) {
    const write = output[level].bind(output);
    output[level] = (...parts: unknown[]) => {
      const origin = OWN_FAULT.test(String(parts[0])) ? "console" : level;
      budget.spend(
        origin,
        () => write(...parts),
        (note) => write(`[${origin}] ${note}`),
      );
    };
  }
}
