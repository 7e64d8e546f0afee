import { SECURE_MODEL } from "./start-measured-gateway";

/** `iterating` is a bare proxy that reads replies piece by piece, and `secure` one that calls the provider over TLS. */
export type TargetName = "direct" | "bare" | "iterating" | "secure" | "ours" | "portkey";

/** A kind of call, the same for every target. */
export interface Workload {
  readonly name: string;
  readonly body: string;
  /** The number of calls in flight; with a rate, the number of connections at the start. */
  readonly connections: number;
  /** The rate at which calls start; absent for saturation. */
  readonly perSecond?: number;
  readonly targets: readonly TargetName[];
  /** The target that the others are compared with. */
  readonly against: TargetName;
  /** Whether it is part of every run, or only of `--all`. */
  readonly isUsual: boolean;
}

const system = { role: "system", content: "You answer in one sentence." };
const question = "What does the first sentence of the novel say about the clocks?";

function writeBody(content: string, options: object = {}): string {
  const messages = [system, { role: "user", content }];
  return JSON.stringify({ model: "bench", messages, max_tokens: 200, ...options });
}

/** @param manner how the fake provider writes the stream; by default as fast as the client reads. */
export const streamBody = (manner: "" | "[slow]" | "[silent]" | "[endless]" = "") =>
  writeBody(question + manner, { stream: true });
export const plainBody = writeBody(question);
/** The fake provider takes 50 ms to answer this. */
export const thoughtfulBody = writeBody(`${question}[thoughtful]`);
const longBody = writeBody(question.repeat(Math.ceil((80 * 1024) / question.length)));

const all: readonly TargetName[] = ["direct", "bare", "ours", "portkey"];
// Without the peer: at a rate it can't keep up with, the result would measure its queue.
const own: readonly TargetName[] = ["direct", "bare", "ours"];
const streaming: readonly TargetName[] = ["direct", "bare", "iterating", "ours"];

const plain = { name: "plain", body: plainBody, targets: all, against: "bare", isUsual: true } as const;
const secure = {
  name: "plain over TLS",
  body: writeBody(question, { model: SECURE_MODEL }),
  targets: ["secure", "ours"],
  against: "secure",
  isUsual: true,
} as const;
const stream = {
  name: "stream of 50",
  body: streamBody(),
  targets: [...streaming, "portkey"],
  against: "iterating",
  isUsual: true,
} as const;

export const workloads: readonly Workload[] = [
  { ...plain, connections: 1 },
  { ...plain, connections: 32 },
  { ...plain, connections: 256 },
  { ...plain, connections: 32, perSecond: 3_000, targets: own },
  { ...plain, connections: 32, perSecond: 500 },
  { ...secure, connections: 32 },
  { ...stream, connections: 1 },
  { ...stream, connections: 32 },
  { ...stream, connections: 256 },
  { ...stream, connections: 32, perSecond: 300, targets: streaming },
  {
    name: "slow stream",
    body: streamBody("[slow]"),
    connections: 128,
    targets: own,
    against: "bare",
    isUsual: false,
  },
  { name: "80 KB prompt", body: longBody, connections: 32, targets: all, against: "bare", isUsual: false },
];

/** The name of a workload in the table and for `--only`. */
export function formatWorkload({ name, connections, perSecond }: Workload): string {
  return perSecond ? `${name}, ${perSecond}/s` : `${name}, ${connections} conn`;
}
