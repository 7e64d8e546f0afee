const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/**
 * Shows a step while it runs and its time when it is done: in place with a spinner on a terminal, otherwise
 * as one line at the start and one at the end.
 */
export async function showStep<T>(doing: string, done: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const formatElapsed = () => `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  const spinner = process.stdout.isTTY ? spin(doing, formatElapsed) : null;
  if (!spinner) console.log(`${doing}…`);
  try {
    const result = await work();
    spinner?.stop();
    console.log(`✓ ${done}  ${formatElapsed()}`);
    return result;
  } catch (error) {
    spinner?.stop();
    throw error;
  }
}

function spin(doing: string, formatElapsed: () => string): { stop: () => void } {
  let frame = 0;
  const draw = () =>
    process.stdout.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${doing}…  ${formatElapsed()}`);
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return {
    stop() {
      clearInterval(timer);
      process.stdout.write("\r\x1b[2K");
    },
  };
}
