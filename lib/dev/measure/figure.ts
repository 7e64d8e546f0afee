export type Figure = {
  name: string;
  value: number;
  unit: string;
  /** Null for a figure without a target. */
  target: { atMost: number } | { atLeast: number } | null;
};

export function atMost(limit: number, name: string, value: number, unit: string): Figure {
  return { name, value, unit, target: { atMost: limit } };
}

export function atLeast(limit: number, name: string, value: number): Figure {
  return { name, value, unit: "", target: { atLeast: limit } };
}

export function meetsTarget({ value, target }: Figure): boolean {
  if (target === null) return true;
  return "atMost" in target ? value <= target.atMost : value >= target.atLeast;
}

/** One line a figure: name, value, target, verdict. */
export function formatFigures(figures: Figure[]): string[] {
  const width = Math.max(...figures.map(({ name }) => name.length)) + 2;
  return figures.map((figure) => {
    const { name, value, unit, target } = figure;
    const measuredText = `${Number(value.toFixed(1))} ${unit}`.trim().padStart(10);
    if (target === null) return `${name.padEnd(width)}${measuredText}`;
    const targetText = "atMost" in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
    return `${name.padEnd(width)}${measuredText}  ${targetText.padEnd(7)} ${meetsTarget(figure) ? "ok" : "MISSED"}`;
  });
}
