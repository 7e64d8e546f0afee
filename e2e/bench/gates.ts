import type { Figures } from "./measure";

/** What a figure must keep to, as a ratio within one run, and what it should reach. */
export interface Gate {
  readonly what: string;
  readonly value: number;
  readonly gate: number;
  readonly goal: number;
  readonly holds: boolean;
}

/** @param figures of one run; a gate whose scenario was not run, or is void, is left out. */
export function judge(figures: readonly Figures[]): Gate[] {
  const find = (scenario: string, target: Figures["target"]) =>
    figures.find((row) => row.scenario === scenario && row.target === target && row.voidBy === null);
  const plain = find("plain, 32 conn", "ours");
  const stream = find("stream of 50, 32 conn", "ours");
  const peer = find("plain, 32 conn", "portkey");
  return [
    ...(plain ? [atMost("CPU of a plain call ÷ bare proxy", plain.cpuRatio, 1.9, 1.5)] : []),
    ...(stream ? [atMost("CPU of a stream of 50 ÷ bare proxy", stream.cpuRatio, 1.1, 0.9)] : []),
    ...(plain && peer
      ? [atLeast("CPU of Portkey ÷ ours, plain call", peer.cpuUs / plain.cpuUs, 12, 16)]
      : []),
  ];
}

function atMost(what: string, value: number, gate: number, goal: number): Gate {
  return { what, value, gate, goal, holds: value <= gate };
}

function atLeast(what: string, value: number, gate: number, goal: number): Gate {
  return { what, value, gate, goal, holds: value >= gate };
}
