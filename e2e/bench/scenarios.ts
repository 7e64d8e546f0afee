export type TargetName = "direct" | "bare" | "ours" | "portkey";

/** One way of calling, the same for every target. */
export interface Scenario {
  readonly name: string;
  readonly body: string;
  /** Calls kept in flight; where there is a rate, the connections it begins with. */
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

/** @param manner how the fake provider writes it: as fast as it is taken, unless a word in brackets says otherwise. */
export const streamBody = (manner: "" | "[slow]" | "[silent]" | "[endless]" = "") =>
  bodyOf(question + manner, { stream: true });
export const plainBody = bodyOf(question);
/** The fake provider takes 50 ms for it. */
export const thoughtfulBody = bodyOf(`${question}[thoughtful]`);
const longBody = bodyOf(question.repeat(Math.ceil((80 * 1024) / question.length)));

const all: readonly TargetName[] = ["direct", "bare", "ours", "portkey"];
// What the peer can't keep up with would measure its queue.
const own: readonly TargetName[] = ["direct", "bare", "ours"];

const plain = { name: "plain", body: plainBody, targets: all, isUsual: true };
const stream = { name: "stream of 50", body: streamBody(), targets: all, isUsual: true };

export const scenarios: readonly Scenario[] = [
  { ...plain, connections: 1 },
  { ...plain, connections: 32 },
  { ...plain, connections: 256 },
  { ...plain, connections: 32, perSecond: 3_000, targets: own },
  { ...plain, connections: 32, perSecond: 500 },
  { ...stream, connections: 1 },
  { ...stream, connections: 32 },
  { ...stream, connections: 256 },
  { ...stream, connections: 32, perSecond: 300, targets: own },
  { name: "slow stream", body: streamBody("[slow]"), connections: 128, targets: own, isUsual: false },
  { name: "80 KB prompt", body: longBody, connections: 32, targets: all, isUsual: false },
];

/** How a scenario is named in the table and by `--only`. */
export function titleOf({ name, connections, perSecond }: Scenario): string {
  return perSecond ? `${name}, ${perSecond}/s` : `${name}, ${connections} conn`;
}
