/** Before the console answers anything, its environment must be right. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { requireEnvironment } = await import("@/lib/console/require-environment");
    requireEnvironment();
    const { notePeers } = await import("@/lib/console/gateway/note-peers");
    notePeers();
    const { mendPaths } = await import("@/lib/console/mend-paths");
    mendPaths();
    const { limitLog } = await import("@/lib/console/limit-log");
    limitLog();
  }
}
