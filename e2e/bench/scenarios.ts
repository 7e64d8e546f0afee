export type TargetName = "direct" | "bare" | "ours" | "portkey";

/** One way of calling, the same for every target. */
export interface Scenario {
  readonly name: string;
  readonly body: string;
  readonly connections: number;
  /** Calls begin at this rate; saturation where it is absent. */
  readonly perSecond?: number;
  readonly targets: readonly TargetName[];
  /** Part of every run, and not of `--all` alone. */
  readonly isUsual: boolean;
}

const system = { role: "system", content: "You answer in one sentence." };
const question = "What does the first sentence of the novel say about the clocks?";

function bodyOf(content: string, options: object = {}): string {
  const messages = [system, { role: "user", content }];
  return JSON.stringify({ model: "bench", messages, max_tokens: 200, ...options });
}

export const plainBody = bodyOf(question);
export const streamBody = bodyOf(question, { stream: true });
const longBody = bodyOf(question.repeat(Math.ceil((80 * 1024) / question.length)));

const all: readonly TargetName[] = ["direct", "bare", "ours", "portkey"];
const own: readonly TargetName[] = ["direct", "bare", "ours"];

export const scenarios: readonly Scenario[] = [
  { name: "plain", body: plainBody, connections: 1, targets: all, isUsual: true },
  { name: "plain", body: plainBody, connections: 32, targets: all, isUsual: true },
  { name: "plain", body: plainBody, connections: 256, targets: all, isUsual: true },
  { name: "stream of 50", body: streamBody, connections: 1, targets: all, isUsual: true },
  { name: "stream of 50", body: streamBody, connections: 32, targets: all, isUsual: true },
  { name: "stream of 50", body: streamBody, connections: 256, targets: all, isUsual: true },
  { name: "plain", body: plainBody, connections: 0, perSecond: 3_000, targets: own, isUsual: true },
  { name: "plain", body: plainBody, connections: 0, perSecond: 500, targets: all, isUsual: true },
  { name: "stream of 50", body: streamBody, connections: 0, perSecond: 300, targets: own, isUsual: true },
  { name: "80 KB prompt", body: longBody, connections: 32, targets: all, isUsual: false },
];

/** How a scenario is named in the table and by `--only`. */
export function titleOf({ name, connections, perSecond }: Scenario): string {
  return perSecond ? `${name}, ${perSecond}/s` : `${name}, ${connections} conn`;
}
