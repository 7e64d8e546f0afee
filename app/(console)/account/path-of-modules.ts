/** The dark modules of a code, row by row, as the path of an SVG whose unit is one module. */
export function pathOf(modules: readonly (readonly boolean[])[]): string {
  return modules
    .map((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
    .flat()
    .join("");
}

/** Where dark modules stand side by side: from where, and how many. */
function runsOf(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
