/** Converts a code's dark modules into an SVG path of one unit per module. */
export function drawModules(modules: readonly (readonly boolean[])[]): string {
  return modules
    .map((row, y) => findRuns(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
    .flat()
    .join("");
}

/** Returns runs of adjacent dark modules as start and length. */
function findRuns(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
